import type { ExceptionDetails } from './events.ts'

export type OpenException = { readonly type: 'OpenException' } & ExceptionDetails

export type ExceptionCommand = OpenException
