import { signal } from '@preact/signals'
import { QuittanceError } from '@quittance/client'
import type { Session } from '@quittance/client/wire'
import { api } from './client.ts'
import { failureOf, type PageFailure } from './failure.ts'
import { network } from './settings.ts'

/** Who uses the pages. */
export type Visit =
  | { readonly _tag: 'Unknown' }
  | { readonly _tag: 'SignedOut'; readonly isAtTheSandbox: boolean }
  | { readonly _tag: 'SignedIn'; readonly session: Session; readonly hasSandbox: boolean }
  | { readonly _tag: 'Unreachable'; readonly failure: PageFailure }

export const visit = signal<Visit>({ _tag: 'Unknown' })

/** The answer; null where the service refuses. */
const unlessRefused = async <A>(answer: Promise<A>): Promise<A | null> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof QuittanceError && error.failure._tag === 'Refused' && error.failure.status < 500) return null
    throw error
  }
}

/** Finds the session of the cookie. In the sandbox, a visitor at its machine is signed in without asking. */
export const findSession = async (): Promise<void> => {
  try {
    const { is_signed_in, is_at_the_sandbox } = await api.session.entry()
    const { retrieve, enterSandbox } = api.session
    const mayEnter = is_at_the_sandbox && !hasLeft()
    const found = is_signed_in || mayEnter ? await unlessRefused(is_signed_in ? retrieve() : enterSandbox()) : null
    if (found === null) visit.value = { _tag: 'SignedOut', isAtTheSandbox: is_at_the_sandbox }
    else await enter(found)
  } catch (error) {
    visit.value = { _tag: 'Unreachable', failure: failureOf(error) }
  }
}

/** Goes on with a session that has begun. */
export const enter = async (session: Session): Promise<void> => {
  sessionStorage.removeItem(leftName)
  if (!session.environments.includes(network.value)) network.value = session.environments[0] ?? 'testnet'
  const clock = session.environments.includes('testnet') ? await unlessRefused(api.sandbox.clock()) : null
  visit.value = { _tag: 'SignedIn', session, hasSandbox: clock !== null }
}

/** Signs out, and stays signed out in the sandbox too. */
export const leave = async (): Promise<void> => {
  await unlessRefused(api.session.signOut())
  await signInAnew()
}

/** After a session has ended: whoever had it does not become the owner of the sandbox without asking. */
export const signInAnew = async (): Promise<void> => {
  sessionStorage.setItem(leftName, 'yes')
  await findSession()
}

const leftName = 'quittance.left'
const hasLeft = (): boolean => sessionStorage.getItem(leftName) !== null

/** Whether the member may do what takes a scope. The service decides; this only spares the reader a refusal. */
export const may = (scope: string): boolean =>
  visit.value._tag === 'SignedIn' && visit.value.session.scopes.includes(scope)

export const roleOf = (): Session['member']['role'] | null =>
  visit.value._tag === 'SignedIn' ? visit.value.session.member.role : null

/** Whether the member may do what takes a secret key. */
export const hasAllRights = (): boolean => roleOf() === 'owner' || roleOf() === 'admin'

export const isOwner = (): boolean => roleOf() === 'owner'

/** Whether what is shown is of the sandbox, with its test money and its clock. */
export const isInSandbox = (): boolean =>
  network.value === 'testnet' && visit.value._tag === 'SignedIn' && visit.value.hasSandbox
