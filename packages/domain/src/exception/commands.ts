import type { ExceptionDetails } from './events.ts'

type OpenException = { readonly type: 'OpenException' } & ExceptionDetails

export type ExceptionCommand = OpenException
