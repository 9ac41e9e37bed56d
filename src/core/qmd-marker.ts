/** The list of files that marks a folder as an export for QMD: what it names was written by us, and is no document of a person. */
export const QMD_MARKER = '.mnemonic-qmd'
