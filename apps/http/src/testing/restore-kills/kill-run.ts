import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { dataFiles } from '@quittance/host'
import { type ServiceProcess, startAndKill, startProcess } from '../child-process.ts'
import { eventually } from '../eventually.ts'
import { sideVariable, stepVariable } from '../kills/deaths.ts'
import type { Counts } from '../kills/kill-all.ts'
import { randomFrom } from '../random.ts'
import { ledgerIsIngested, openSale } from '../sale.ts'
import { temporaryDirectory } from '../service.ts'
import { fundedWallet } from '../wallet.ts'
import { type CommandDeath, runCommand } from './command.ts'
import { isRolledBack, openShop, type Shop } from './shop.ts'

/** What happens to a service in a round, while it works. */
type Act =
  | 'kill'
  | 'kill at a step'
  | 'kill at its start'
  | 'backup'
  | 'killed backup'
  | 'restore'
  | 'killed restore'
  | 'restore of the log alone'
  | 'restore on a new machine'
const deck: ReadonlyArray<Act> = [
  'kill',
  'kill at a step',
  'kill at its start',
  'backup',
  'killed backup',
  'restore',
  'killed restore',
  'killed restore',
  'restore of the log alone',
  'restore on a new machine',
]
export const roundsOfDeck = deck.length

const steps = [
  'RefundClaimed',
  'RefundRequested',
  'ReturnStarted',
  'IntentRecorded',
  'TransactionPrepared',
  'IntentAttached',
  'TransactionReleased',
  'TransactionSucceeded',
  'IntentSettled',
  'RefundSucceeded',
  'ExceptionOpened',
  'ExceptionResolved',
  'PaymentConfirmed',
]
const payers = 4
const longestWorkMs = 2_500
const stepWithinMs = 6_000
const longestStartMs = 700
/** The command line needs much of this to load. */
const longestCommandMs = 2_000
/** The changes of files that a backup and a restore make; those of the restore from shortly before it replaces files. */
const fileSteps = { backup: { first: 2, count: 22 }, restore: { first: 16, count: 14 } } as const
const keptBackups = 3
/** Longer than our transactions wait for a ledger. */
const lifetimeSeconds = 150

const dieAtAppend = new URL('../kills/die-at-append.ts', import.meta.url).href

/** The facts of a completed run. The service lives. */
export type RestoreRun = {
  readonly service: ServiceProcess
  readonly account: string
  readonly shop: Shop
  readonly counts: Counts
  /** Rules that a command or a start has broken. */
  readonly broken: ReadonlyArray<string>
}

/**
 * Kills services, backups and restores on one data directory, and puts older backups back, in an order that the seed
 * determines, but not what a process does at a random moment.
 */
export const killWhileRestoring = async (dataDir: string, rounds: number, seed: number): Promise<RestoreRun> => {
  const random = randomFrom(seed)
  const upTo = (most: number): number => Math.floor(random() * most)
  const backups = temporaryDirectory()
  const counts: Record<string, number> = {}
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const broken: Array<string> = []
  const kept: Array<string> = []
  const accepted = ['restore', 'accept', '--reason', 'a backup was restored']
  let made = 0

  let service = await startProcess(dataDir)
  const { destination: account } = await openSale(service)
  const wallets = await Promise.all(Array.from({ length: payers }, () => fundedWallet(service.facts)))
  const keypairs = wallets.map(({ keypair }) => keypair)
  const shop = openShop(randomFrom(-seed), keypairs, account)

  const atAnyMoment = (): CommandDeath => ({ _tag: 'moment', afterMs: random() * longestCommandMs })
  const deathOf = (command: keyof typeof fileSteps): CommandDeath => {
    const { first, count: steps } = fileSteps[command]
    return random() < 0.7 ? { _tag: 'file step', step: first + upTo(steps) } : atAnyMoment()
  }

  const backUp = async (death: CommandDeath | null): Promise<void> => {
    const name = `backup-${made++}`
    const path = join(backups.path, name)
    const { isKilled, status, stderr } = await runCommand(dataDir, ['backup', path], death)
    if (isKilled) count('killed backup')
    else if (status !== 0) broken.push(`a backup failed: ${stderr}`)
    for (const left of readdirSync(backups.path)) {
      if (left === name) kept.push(path)
      else if (!kept.includes(join(backups.path, left))) await refusesHalf(join(backups.path, left))
    }
    if (!isKilled && !kept.includes(path)) broken.push(`${name} is missing`)
    if (kept.length > keptBackups) rmSync(kept.shift() ?? '', { recursive: true })
  }
  /** What a killed backup leaves is refused, unless it was whole but for its name. */
  const refusesHalf = async (path: string): Promise<void> => {
    const empty = temporaryDirectory()
    copyFileSync(dataFiles(dataDir).masterKey, dataFiles(empty.path).masterKey)
    const { status, stderr } = await runCommand(empty.path, ['restore', path])
    const isRefused = status === 1 && stderr.includes('no_backup')
    if (status !== 0 && !isRefused) broken.push(`${path}: ${stderr}`)
    const left = readdirSync(empty.path)
    if (isRefused && left.length > 1) broken.push(`a refused restore left ${left.join(', ')}`)
    empty.remove()
    count(isRefused ? 'half backup refused' : 'whole backup without its name')
  }

  const anyBackup = (): string => kept[upTo(kept.length)] ?? ''
  const remove = (name: string): void => {
    for (const rest of ['', '-wal', '-shm']) rmSync(join(dataDir, `${name}${rest}`), { force: true })
  }
  const restore = async (death: CommandDeath | null): Promise<void> => {
    const { isKilled, status, stderr } = await runCommand(dataDir, ['restore', anyBackup(), '--force'], death)
    if (isKilled) count('killed restore')
    else if (status === 0) count('whole restore')
    else broken.push(`a restore failed: ${stderr}`)
  }

  /** Starts the service; runs an interrupted restore again where the service says so. */
  const start = async (): Promise<void> => {
    try {
      service = await startProcess(dataDir)
    } catch (cause) {
      const [, line = '', more] = /did not start \(1\): (.*)\n(.*)/.exec(String(cause)) ?? []
      const [, again] = /run quittance restore (\S+) again$/.exec(line) ?? []
      if (again === undefined || more !== '') throw cause
      count('start refused after a killed restore')
      const { status, stderr } = await runCommand(dataDir, ['restore', again])
      if (status !== 0) broken.push(`an interrupted restore was not run again: ${stderr}`)
      service = await startProcess(dataDir)
    }
  }
  /** Lets a service work that dies at the append of a step; false where that takes too long. */
  const dieAtStep = async (): Promise<boolean> => {
    const environment = {
      NODE_OPTIONS: `--import=${dieAtAppend}`,
      [stepVariable]: steps[upTo(steps.length)] ?? '',
      [sideVariable]: random() < 0.5 ? 'before' : 'after',
    }
    await service.stop()
    try {
      service = await startProcess(dataDir, environment)
    } catch (cause) {
      // What its predecessor has left may lead to the step at once.
      if (String(cause).includes('did not start (SIGKILL)')) return true
      throw cause
    }
    return workUntil(Promise.race([service.ended.then(() => true), pause(stepWithinMs, false)]))
  }
  /** The shop works until something is over; then the service is killed. */
  const workUntil = async <A>(over: Promise<A>): Promise<A> => {
    let isOver = false
    const working = shop.work(service, () => isOver)
    const answer = await over
    isOver = true
    await service.kill()
    await working
    return answer
  }
  /** Accepts a log that went back; a third of the acceptances are killed. */
  const accept = async (): Promise<void> => {
    if (!(await isRolledBack(service))) return
    count('log found rolled back')
    const { status, body } = await service.api('/refunds', { body: { payment_id: 'pay_0000000000000000000000' } })
    if (status !== 503 || body.code !== 'log_rolled_back') broken.push(`a refund was answered ${status} ${body.code}`)
    if (random() < 0.34) {
      count('killed service')
      await service.kill()
      await start()
    }
    await ledgerIsIngested(service)
    const killed = random() < 0.34 ? await runCommand(dataDir, accepted, atAnyMoment()) : null
    if (killed?.isKilled) count('killed acceptance')
    const ended = await eventually(
      () => runCommand(dataDir, accepted),
      // More ledgers may have closed meanwhile.
      ({ stderr }) => !stderr.includes('ledgers_not_ingested'),
    )
    if (ended.status !== 0) broken.push(`an acceptance failed: ${ended.stderr}`)
    await eventually(
      () => isRolledBack(service),
      (is) => !is,
    )
    await service.api('/sandbox/advance', { body: { seconds: lifetimeSeconds } })
  }
  const act = async (name: Act): Promise<void> => {
    const moment = pause(random() * longestWorkMs)
    if (name === 'kill at a step') return count((await dieAtStep()) ? 'killed service at a step' : 'missed step')
    if (random() < 0.4)
      await service.api('/sandbox/faults', { body: { include_late: { ledgers: 1 + upTo(8), times: 2 } } })
    count('killed service')
    switch (name) {
      case 'kill':
        return workUntil(moment)
      case 'kill at its start':
        await workUntil(moment)
        count('killed start')
        return startAndKill(dataDir, random() * longestStartMs)
      case 'backup':
        return workUntil(moment.then(() => backUp(null)))
      case 'killed backup':
        return workUntil(moment.then(() => backUp(deathOf('backup'))))
      case 'restore':
        await workUntil(moment)
        return restore(null)
      case 'killed restore':
        await workUntil(moment)
        return restore(deathOf('restore'))
      case 'restore of the log alone':
        await workUntil(moment)
        count('restored log alone')
        remove('quittance.db')
        return copyFileSync(join(anyBackup(), 'quittance.db'), join(dataDir, 'quittance.db'))
      case 'restore on a new machine':
        await workUntil(moment)
        for (const name of ['quittance.db', 'vault.db', 'log-mark.json']) remove(name)
        return restore(null)
    }
  }

  await backUp(null)
  const acts: Array<Act> = []
  for (let round = 0; round < rounds; round++) {
    if (acts.length === 0) acts.push(...shuffled(deck, random))
    await act(acts.pop() ?? 'kill')
    await start()
    await accept()
  }
  // What a log has forgotten may enter a ledger late, and shows only then that it went back.
  await service.api('/sandbox/faults', { body: {} })
  await service.api('/sandbox/advance', { body: { seconds: lifetimeSeconds } })
  await ledgerIsIngested(service)
  await accept()
  backups.remove()
  return { service, account, shop, counts, broken }
}

const shuffled = <A>(cards: ReadonlyArray<A>, random: () => number): ReadonlyArray<A> =>
  cards
    .map((card) => ({ card, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ card }) => card)
