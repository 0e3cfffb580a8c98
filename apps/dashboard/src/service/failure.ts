import { QuittanceError } from '@quittance/client'

/** Why there is nothing to show, by what the reader can do about it. */
export type PageFailure =
  | { readonly _tag: 'NoRight'; readonly message: string }
  | { readonly _tag: 'NotFound' }
  | { readonly _tag: 'SignedOut' }
  | { readonly _tag: 'SignInAgain' }
  | { readonly _tag: 'Refused'; readonly message: string; readonly requestId: string | null }
  | { readonly _tag: 'Unreachable' }

export const failureOf = (error: unknown): PageFailure => {
  // Whatever else is thrown is a defect of these pages.
  if (!(error instanceof QuittanceError)) throw error
  const { failure } = error
  switch (failure._tag) {
    case 'Refused': {
      const { status, code, message, requestId } = failure
      if (code === 'unauthorized' || code === 'invalid_session') return { _tag: 'SignedOut' }
      if (code === 'sign_in_again') return { _tag: 'SignInAgain' }
      if (code === 'approval_by_requester' || code === 'key_of_another')
        return { _tag: 'Refused', message, requestId: null }
      if (status === 403) return { _tag: 'NoRight', message }
      if (status === 404) return { _tag: 'NotFound' }
      return { _tag: 'Refused', message, requestId }
    }
    case 'NotAnId':
      return { _tag: 'NotFound' }
    case 'Unreadable':
    case 'NotSendable':
      return { _tag: 'Refused', message: error.message, requestId: null }
    case 'Unreachable':
    case 'TimedOut':
    case 'Aborted':
      return { _tag: 'Unreachable' }
  }
}
