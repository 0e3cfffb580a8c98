import type { ExceptionDetails } from './events.ts'

export type ExceptionRejection =
  /** The id names another exception already. */
  { readonly _tag: 'ExceptionAlreadyOpen'; readonly details: ExceptionDetails }
