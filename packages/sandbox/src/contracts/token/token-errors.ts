import { contractError } from '../host-error.ts'

/** The token contract's own error numbers. Tokens never report 1 and 5. */
export const tokenErrors = {
  notSupported: 2,
  alreadyInitialized: 3,
  accountMissing: 6,
  negativeAmount: 8,
  allowance: 9,
  balance: 10,
  deauthorized: 11,
  overflow: 12,
  trustlineMissing: 13,
  reserve: 14,
  tooManySubentries: 15,
} as const

export const refuse: (why: keyof typeof tokenErrors, message: string) => never = (why, message) => {
  throw contractError(tokenErrors[why], message)
}
