/**
 * Why a command has no answer. Status 1: it was refused or failed; 2: the line or the configuration has to be put right.
 * `code` is for programs, `error` for people.
 */
export type Complaint = { readonly status: 1 | 2; readonly code: string; readonly error: string }

/** The line itself is wrong; `helpLine` says where it is explained. */
type Misuse = Complaint & { readonly helpLine: string }

export const misuse = (error: string, about = ''): Misuse => ({
  status: 2,
  code: 'usage',
  error,
  helpLine: `See: ${['quittance', about, '--help'].filter((word) => word !== '').join(' ')}`,
})

export const isMisuse = (complaint: Complaint): complaint is Misuse => 'helpLine' in complaint

export const refused = (code: string, error: string): Complaint => ({ status: 1, code, error })
