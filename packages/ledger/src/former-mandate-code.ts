/** The SHA-256 (hex) of the mandate contract's former code, whose `create` takes one argument less. */
export const formerMandateCode: ReadonlySet<string> = new Set([
  'a8abf63b109ed31ba8f428a939ce300c665d65b4771a9428e36b0e90bfb544e4',
])
