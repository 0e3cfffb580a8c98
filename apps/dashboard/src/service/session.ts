import { signal } from '@preact/signals'
import { failureOf, type PageFailure } from './loaded.ts'
import { type Session, sessions } from './sessions.ts'

/** Who uses the pages. */
export type Visit =
  | { readonly _tag: 'Unknown' }
  | { readonly _tag: 'SignedOut' }
  | { readonly _tag: 'SignedIn'; readonly session: Session; readonly hasSandbox: boolean }
  | { readonly _tag: 'Unreachable'; readonly failure: PageFailure }

export const visit = signal<Visit>({ _tag: 'Unknown' })

/** Finds the session of the cookie. In the sandbox, a visitor of the own machine is signed in without asking. */
export const findSession = async (): Promise<void> => {
  try {
    const session = await sessions.find()
    if (session !== null) return enter(session)
    const ofSandbox = hasLeft() ? null : await sessions.enterSandbox()
    if (ofSandbox === null) visit.value = { _tag: 'SignedOut' }
    else await enter(ofSandbox)
  } catch (error) {
    visit.value = { _tag: 'Unreachable', failure: failureOf(error) }
  }
}

/** Goes on with a session that has begun. */
export const enter = async (session: Session): Promise<void> => {
  sessionStorage.removeItem(leftName)
  visit.value = { _tag: 'SignedIn', session, hasSandbox: await sessions.isOfSandbox() }
}

/** Signs out, and stays signed out in the sandbox too. */
export const leave = async (): Promise<void> => {
  await sessions.end()
  sessionStorage.setItem(leftName, 'yes')
  visit.value = { _tag: 'SignedOut' }
}

/** The service knows the session no more. */
export const forget = (): void => {
  if (visit.value._tag === 'SignedIn') visit.value = { _tag: 'SignedOut' }
}

const leftName = 'quittance.left'
const hasLeft = (): boolean => sessionStorage.getItem(leftName) !== null

/** Whether the member may do what takes a scope. The service decides; this only spares the reader a refusal. */
export const may = (scope: string): boolean =>
  visit.value._tag === 'SignedIn' && visit.value.session.scopes.includes(scope)
