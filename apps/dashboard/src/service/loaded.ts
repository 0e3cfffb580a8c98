import { QuittanceError } from '@quittance/client'
import { useEffect, useState } from 'preact/hooks'
import { moved } from './moved.ts'
import { network } from './settings.ts'

/** What a page waits for. */
export type Loaded<A> =
  | { readonly _tag: 'Loading' }
  | { readonly _tag: 'Failed'; readonly failure: PageFailure }
  | { readonly _tag: 'Ready'; readonly value: A }

/** Why there is nothing to show, by what the reader can do about it. */
export type PageFailure =
  | { readonly _tag: 'NoRight' }
  | { readonly _tag: 'NotFound' }
  | { readonly _tag: 'SignedOut' }
  | { readonly _tag: 'Refused'; readonly message: string; readonly requestId: string | null }
  | { readonly _tag: 'Unreachable' }

export const failureOf = (error: unknown): PageFailure => {
  if (!(error instanceof QuittanceError)) throw error
  const { failure } = error
  switch (failure._tag) {
    case 'Refused': {
      const { status, message, requestId } = failure
      if (status === 401) return { _tag: 'SignedOut' }
      if (status === 403) return { _tag: 'NoRight' }
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

/**
 * Loads when the page opens, when `key` changes, and when the network is switched or the sandbox's clock moved. Late answers
 * are dropped. While the same is read again, what was read stays.
 */
export const useLoaded = <A>(
  load: () => Promise<A>,
  key = '',
): { readonly state: Loaded<A>; readonly reload: () => void } => {
  const [state, setState] = useState<Loaded<A>>({ _tag: 'Loading' })
  const [round, setRound] = useState(0)
  const subject = `${network.value} ${key}`
  const [shown, setShown] = useState(subject)
  useEffect(() => {
    let isCurrent = true
    setShown(subject)
    if (shown !== subject) setState({ _tag: 'Loading' })
    load().then(
      (value) => isCurrent && setState({ _tag: 'Ready', value }),
      (error: unknown) => isCurrent && setState({ _tag: 'Failed', failure: failureOf(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [subject, round, moved.value])
  // What is shown is of another subject until the effect has run.
  return { state: shown === subject ? state : { _tag: 'Loading' }, reload: () => setRound((before) => before + 1) }
}
