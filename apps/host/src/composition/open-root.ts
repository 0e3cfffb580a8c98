import 'reflect-metadata'
import { noteLackingKeys, SERVICES } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import type { Container, ServiceIdentifier } from 'inversify'
import { unfinishedRestore } from '../backup/unfinished-restore.ts'
import { type Closers, closeAll, closedLater } from '../closers.ts'
import type { Config } from '../config.ts'
import { inTime } from '../in-time.ts'
import { keysReadiness } from '../keys-readiness.ts'
import { movedNetworks } from '../moved-networks.ts'
import type { ConfigProblem } from '../settings.ts'
import { unopenable } from '../unopenable.ts'
import { openFoundation } from './foundation.ts'
import { hostModules } from './modules.ts'
import { ALARM, OPERATOR_LOG } from './tokens.ts'

type Opened<Root> = E.Either<ReadonlyArray<ConfigProblem>, Root>

/**
 * Opens the configured deployment, loads the host's modules beside the app's own, and resolves the app's root.
 * Errors: nodes of another network; a missing, malformed or wrong master key; a data directory that cannot be used or
 * belongs to another network; an event store that does not answer or belongs to other data. Everything is closed again
 * then.
 */
export const openRoot = async <Root>(
  container: Container,
  config: Config,
  root: ServiceIdentifier<Root>,
): Promise<Opened<Root>> => {
  const closers: Closers = []
  try {
    const opened = await open(container, config, root, closers)
    if (E.isLeft(opened)) await closeAll(closers)
    return opened
  } catch (cause) {
    await closeAll(closers)
    const problem = unopenable(cause)
    if (problem === null) throw cause
    return E.left([problem])
  }
}

/** A log on a server may be silent at the end. */
const lastCheckMs = 1_000

const open = async <Root>(
  container: Container,
  config: Config,
  root: ServiceIdentifier<Root>,
  closers: Closers,
): Promise<Opened<Root>> => {
  const foundation = await openFoundation(config, closers)
  if (E.isLeft(foundation)) return foundation
  container.load(...hostModules(foundation.right))
  if (config.tracing !== null) {
    // The module loads the SDK, which nobody pays for who does not trace.
    const { exportSpans } = await import('../tracing/export-spans.ts')
    closedLater(closers, exportSpans(config.tracing, container.get(OPERATOR_LOG)))
  }
  const services = container.get(SERVICES)
  // A restore may have begun while the files were opened.
  const restoring = unfinishedRestore(foundation.right.files)
  if (E.isLeft(restoring)) return restoring
  // Before anything is served or ingested. A log that does not answer now is checked with each step of the workers.
  await services.logStanding.check()
  const lastCheck = inTime(() => services.logStanding.check(true), lastCheckMs)
  foundation.right.closers.push(async () => void (await lastCheck()))
  const lacking = await noteLackingKeys(services)
  const keys = keysReadiness({ lacking: () => lacking })
  if (keys.lacking > 0) container.get(ALARM)({ _tag: 'KeysLacking', ...keys }, null)
  const moved = await movedNetworks(services)
  return moved.length > 0 ? E.left(moved) : E.right(container.get(root))
}
