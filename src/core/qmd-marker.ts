/** Lists the files of a QMD export. A folder with it was written by Mnemonic, not by a person. */
export const QMD_MARKER = '.mnemonic-qmd'
