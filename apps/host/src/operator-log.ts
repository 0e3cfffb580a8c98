type Write = (facts: object, message: string) => void

/** What a process tells its operator. */
export type OperatorLog = { readonly info: Write; readonly warn: Write; readonly error: Write }
