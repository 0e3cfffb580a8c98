import { useEffect, useState } from 'preact/hooks'
import { failureOf, type PageFailure } from './failure.ts'
import { moved } from './moved.ts'
import { signInAnew } from './session.ts'
import { network } from './settings.ts'

/** What a page waits for. */
export type Loaded<A> =
  | { readonly _tag: 'Loading' }
  | { readonly _tag: 'Failed'; readonly failure: PageFailure }
  | { readonly _tag: 'Ready'; readonly value: A }

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
      (error: unknown) => {
        const failure = failureOf(error)
        if (failure._tag === 'SignedOut') signInAnew()
        if (isCurrent) setState({ _tag: 'Failed', failure })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [subject, round, moved.value])
  // What is shown is of another subject until the effect has run.
  return { state: shown === subject ? state : { _tag: 'Loading' }, reload: () => setRound((before) => before + 1) }
}
