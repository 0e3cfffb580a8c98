import { setTimeout as pause } from 'node:timers/promises'
import type { Faults } from '@quittance/sandbox'
import { randomFrom } from '../random.ts'
import type { Ask } from './ask.ts'
import { type Death, drawDeaths, nameOf } from './deaths.ts'
import type { Stage } from './stage.ts'
import type { Victim } from './victim.ts'

/** A life of a process: its number, from 0, and a random number from 0 to 1. */
export type Life = { readonly number: number; readonly death: Death; readonly drawn: number }
/** A life and the victim to ask. */
export type Round = Life & { readonly ask: Ask }

/** The scenario in which services are killed. */
export type Play = {
  /** The events whose appends are crash points. */
  readonly steps: ReadonlyArray<string>
  /** The faults of the network during a life. */
  readonly troubleFor: (life: Life) => Faults
  /**
   * Leads to the victim's step. Called again after each look, counted from 0, so that another service may take the step
   * first or something may happen in between.
   */
  readonly occasion: (round: Round, look: number) => Promise<void>
}

/** How often a process was killed at each step, and which steps were missed, so that it was killed elsewhere. */
export type Counts = Readonly<Record<string, number>>

const missed = 'missed: '
export const isMissed = (name: string): boolean => name.startsWith(missed)

/** A second service runs for so many rounds, and then not for as many. */
const roundsInCompany = 5
/** How often another service may take the step first. After that it sees no ledger while the victim lives. */
const fairLooks = 4
/** After so many looks a step counts as missed. A look waits for ledgers, so slow machines are fine. */
const mostLooks = 100

/**
 * Kills real processes on one data directory, alone or beside another one, and starts the next on the same store. A
 * seed determines the deaths, but not what a process does at a random moment.
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

/** Whether a victim reached its step; it is killed otherwise. */
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
