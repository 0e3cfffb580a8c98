import { signal } from '@preact/signals'
import { QuittanceError } from '@quittance/client'
import type { Session } from '@quittance/client/wire'
import { api } from './client.ts'
import { failureOf, type PageFailure } from './failure.ts'
import { network } from './settings.ts'

/** Who uses the pages. */
export type Visit =
  | { readonly _tag: 'Unknown' }
  | { readonly _tag: 'SignedOut' }
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
    const session = await unlessRefused(api.session.retrieve())
    const ofSandbox = session !== null || hasLeft() ? null : await unlessRefused(api.session.enterSandbox())
    const found = session ?? ofSandbox
    if (found === null) visit.value = { _tag: 'SignedOut' }
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
  const left = visit.value._tag === 'SignedIn' && visit.value.hasSandbox ? 'sandbox' : 'session'
  await unlessRefused(api.session.signOut())
  sessionStorage.setItem(leftName, left)
  visit.value = { _tag: 'SignedOut' }
}

const leftName = 'quittance.left'
const hasLeft = (): boolean => sessionStorage.getItem(leftName) !== null

/** Whether somebody who may move the sandbox's clock has signed out here, so that its door is worth showing. */
export const hasLeftSandbox = (): boolean => sessionStorage.getItem(leftName) === 'sandbox'

/** Whether the member may do what takes a scope. The service decides; this only spares the reader a refusal. */
export const may = (scope: string): boolean =>
  visit.value._tag === 'SignedIn' && visit.value.session.scopes.includes(scope)

export const isOwner = (): boolean => visit.value._tag === 'SignedIn' && visit.value.session.member.role === 'owner'

/** Whether what is shown is of the sandbox, with its test money and its clock. */
export const isInSandbox = (): boolean =>
  network.value === 'testnet' && visit.value._tag === 'SignedIn' && visit.value.hasSandbox
