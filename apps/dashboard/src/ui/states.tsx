import type { ComponentChildren } from 'preact'
import { words } from '../messages/index.ts'
import type { PageFailure } from '../service/failure.ts'
import type { Loaded } from '../service/loaded.ts'
import { leave } from '../service/session.ts'

export const Waiting = () => (
  <div class="waiting" role="status">
    <span class="spinner" aria-hidden="true" />
    {words.value.states.loading}
  </div>
)

type EmptyProps = { readonly title: string; readonly text: string; readonly children?: ComponentChildren }

/** There is nothing yet, and what to do about that. */
export const Empty = ({ title, text, children }: EmptyProps) => (
  <div class="empty card" data-testid="empty">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
)

const textOf = (failure: PageFailure): { readonly title: string; readonly text: string } => {
  const { states } = words.value
  switch (failure._tag) {
    case 'NoRight':
      return { title: states.noRight, text: `${states.noRightText} ${failure.message}` }
    case 'NotFound':
      return { title: states.notFound, text: states.notFoundText }
    case 'SignedOut':
      return { title: states.signedOut, text: states.signedOutText }
    case 'SignInAgain':
      return { title: states.signInAgain, text: states.signInAgainText }
    case 'Unreachable':
      return { title: states.unreachable, text: states.unreachableText }
    case 'Refused':
      return { title: states.refused, text: failure.message }
  }
}

type FailureProps = { readonly failure: PageFailure; readonly retry?: () => void }

export const Failure = ({ failure, retry }: FailureProps) => {
  const { title, text } = textOf(failure)
  return (
    <div class="failure card" role="alert" data-testid={`failure-${failure._tag}`}>
      <h2>{title}</h2>
      <p>{text}</p>
      {failure._tag === 'Refused' && failure.requestId !== null && (
        <p class="quiet">
          {words.value.states.requestId} <code>{failure.requestId}</code>
        </p>
      )}
      {failure._tag === 'SignInAgain' && (
        <button type="button" class="primary" onClick={leave} data-testid="sign-in-again">
          {words.value.signIn.title}
        </button>
      )}
      {retry && failure._tag !== 'NoRight' && (
        <button type="button" onClick={retry}>
          {words.value.states.retry}
        </button>
      )}
    </div>
  )
}

/** Shows what is loaded, or in which state the loading is. */
export const Shown = <A,>({
  of: { state, reload },
  children,
}: {
  readonly of: { readonly state: Loaded<A>; readonly reload: () => void }
  readonly children: (value: A) => ComponentChildren
}) => {
  switch (state._tag) {
    case 'Loading':
      return <Waiting />
    case 'Failed':
      return <Failure failure={state.failure} retry={reload} />
    case 'Ready':
      return <>{children(state.value)}</>
  }
}
