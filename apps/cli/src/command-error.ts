/**
 * Why a command has no result. Status 1: it was refused or failed; 2: the command line or the configuration is wrong.
 * `code` is for programs, `error` for people.
 */
export type CommandError = { readonly status: 1 | 2; readonly code: string; readonly error: string }

/** The command line itself is wrong. */
export const usageError = (error: string): CommandError => ({ status: 2, code: 'usage', error })

export const refused = (code: string, error: string): CommandError => ({ status: 1, code, error })

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
