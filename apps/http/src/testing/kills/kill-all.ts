import { setTimeout as pause } from 'node:timers/promises'
import type { Faults } from '@quittance/sandbox'
import { randomFrom } from '../random.ts'
import type { Ask } from './ask.ts'
import { type Death, drawDeaths, nameOf } from './deaths.ts'
import type { Stage } from './stage.ts'
import type { Victim } from './victim.ts'

/** A life that is to end: the `number`th, from 0, with a number from 0 to 1 that was drawn for it. */
export type Life = { readonly number: number; readonly death: Death; readonly drawn: number }
/** The same with the victim, as it is asked. */
export type Round = Life & { readonly ask: Ask }

/** What goes on while services are killed. */
export type Play = {
  /** The events beside whose appends a process may die. */
  readonly steps: ReadonlyArray<string>
  /** What the network does wrong while a victim lives. */
  readonly troubleFor: (life: Life) => Faults
  /**
   * Brings a victim's death nearer: called again after each look, the `look`th from 0, until it has come, so that another
   * service may take the step first, or something else come in between.
   */
  readonly occasion: (round: Round, look: number) => Promise<void>
}

/** How often a process was killed where; and which steps were missed, for which it was killed elsewhere. */
export type Counts = Readonly<Record<string, number>>

const missed = 'missed: '
export const isMissed = (name: string): boolean => name.startsWith(missed)

/** So many rounds in a row a second service is there, and then so many it is not. */
const roundsInCompany = 5
/** So often another service may take the step first; then it sees no ledger for as long as the victim lives. */
const fairLooks = 4
/** A step that has not come by then is missed; on any machine, since a look waits for ledgers to be walked. */
const mostLooks = 100

/**
 * Kills services, as real processes on one data directory: alone, each followed by the next on the same store, and beside
 * one that goes on. The same seed draws the same deaths; what a process is at when an unnamed moment comes is up to the
 * machine.
 */
export const killAll = async (stage: Stage, play: Play, kills: number, seed: number): Promise<Counts> => {
  const counts: Record<string, number> = {}
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const random = randomFrom(-seed)
  for (const [number, death] of drawDeaths(kills, randomFrom(seed), play.steps).entries()) {
    const life = { number, death, drawn: random() }
    const isAlone = Math.floor(number / roundsInCompany) % 2 === 1
    if (isAlone) await stage.kill('other')
    else if (stage.living('other') === null) await stage.listening('other')
    stage.network.sandbox.faults.set(play.troubleFor(life))
    const victim = stage.start('one', death)
    const bringNearer = (url: string, look: number) => play.occasion({ ...life, ask: stage.askAt(url) }, look)
    const isAsDrawn = await (death._tag === 'moment'
      ? untilMoment(victim, death, bringNearer)
      : untilStep(stage, victim, bringNearer))
    count(isAsDrawn ? nameOf(death) : `${missed}${nameOf(death)}`)
    count(isAlone ? 'while alone' : 'beside another service')
  }
  return counts
}

type BringNearer = (url: string, look: number) => Promise<void>

const untilMoment = async (
  { url, kill, died }: Victim,
  { of, afterMs }: Extract<Death, { _tag: 'moment' }>,
  bringNearer: BringNearer,
): Promise<boolean> => {
  const happening = url.then((at) => (at === null ? undefined : bringNearer(at, 0)))
  if (of === 'service') await url
  await Promise.race([died, pause(afterMs)])
  kill()
  await died
  await happening
  return true
}

/** Whether a victim came to its step; it is killed where it did not. */
const untilStep = async (stage: Stage, { url, kill, died }: Victim, bringNearer: BringNearer): Promise<boolean> => {
  let isDead = false
  const dying = died.then(() => {
    isDead = true
  })
  const at = await url
  let letGo = (): void => undefined
  for (let look = 0; at !== null && !isDead && look < mostLooks; look++) {
    if (look === fairLooks) letGo = stage.network.holdBack('other')
    await bringNearer(at, look)
    await Promise.race([dying, stage.walksOn(at)])
  }
  const isAsDrawn = at === null || isDead
  kill()
  await dying
  letGo()
  return isAsDrawn
}
