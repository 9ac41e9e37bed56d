/** The only variables that set a key. No provider among them: what is in the environment switches nothing on. */
export const VARIABLES: Readonly<Record<string, string>> = { agent: 'MNEMONIC_AGENT', 'owner.timezone': 'MNEMONIC_TIMEZONE' }
