/** The list of files in a QMD export, which also marks the folder as one: the files it names were written by Mnemonic, not by a person. */
export const QMD_MARKER = '.mnemonic-qmd'
