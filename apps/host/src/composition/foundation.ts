import type { Clock, RemoteLog } from '@quittance/billing'
import { unixMs } from '@quittance/domain'
import { openDatabase as openFile } from '@quittance/event-store/sqlite'
import { sandboxClock } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { unfinishedRestore } from '../backup/unfinished-restore.ts'
import { type Closers, closedLater } from '../closers.ts'
import type { Config } from '../config.ts'
import { type DataDir, madeDataDir } from '../data-dir.ts'
import { readMasterKey } from '../master-key.ts'
import { unfinishedCopy } from '../moving/unfinished-copy.ts'
import { otherNetworks } from '../other-networks.ts'
import { type SandboxNode, sandboxNode } from '../sandbox-node.ts'
import type { ConfigProblem } from '../settings.ts'
import { unfitFor } from '../unfit-directory.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'
import { openServerLog, takeOverToFile } from './event-log.ts'

/** What is checked and awaited before the container wires the rest. */
export type Foundation = {
  readonly config: Config
  readonly files: DataDir
  readonly masterKey: Uint8Array
  readonly clock: Clock
  /** Null when the testnet is a real network. */
  readonly sandbox: SandboxNode | null
  /** Null when the log is a file of the data directory. */
  readonly remoteLog: RemoteLog | null
  /** Null when files hold what is in no log. */
  readonly database: OpenedDatabase | null
  readonly closers: Closers
}

const wallTime = () => unixMs(Math.floor(Date.now()))

type Problems = ReadonlyArray<ConfigProblem>

/**
 * Checks the configuration against the nodes and the data directory, and opens what has to be awaited. The caller
 * closes `closers` after an error.
 */
export const openFoundation = async (config: Config, closers: Closers): Promise<E.Either<Problems, Foundation>> => {
  const others = await otherNetworks(config)
  if (others.length > 0) return E.left(others)
  const files = madeDataDir(config.dataDir)
  const restoring = unfinishedRestore(files)
  if (E.isLeft(restoring)) return restoring
  const copying = config.databaseUrl === null ? unfinishedCopy(files) : E.right(undefined)
  if (E.isLeft(copying)) return copying
  const unfit = await unfitFor(config, files)
  if (unfit.length > 0) return E.left(unfit)
  const masterKey = readMasterKey(config, files)
  if (E.isLeft(masterKey)) return masterKey
  const { sandbox, clock } = await openSandbox(config, files, closers)
  const basis = { config, files, masterKey: masterKey.right, sandbox, clock, closers, remoteLog: null, database: null }
  if (config.databaseUrl !== null) {
    const { databaseUrl } = config
    const database = await openDatabase({ databaseUrl, config, files, masterKey: masterKey.right, clock, closers })
    return E.isLeft(database) ? database : E.right({ ...basis, database: database.right })
  }
  if (config.eventStore === null) {
    const taken = takeOverToFile(files)
    return E.isLeft(taken) ? taken : E.right(basis)
  }
  const remoteLog = await openServerLog(config.eventStore, config.eventStoreDeadlineMs, files, clock, closers)
  return E.isLeft(remoteLog) ? remoteLog : E.right({ ...basis, remoteLog: remoteLog.right })
}

/** The sandbox's clock drives the testnet, and without a mainnet everything. */
const openSandbox = async (
  { networks, usesSandbox }: Config,
  files: DataDir,
  closers: Closers,
): Promise<Pick<Foundation, 'sandbox' | 'clock'>> => {
  if (!usesSandbox) return { sandbox: null, clock: { now: wallTime } }
  const database = closedLater(closers, openFile(files.sandbox, { durability: 'full', secureDelete: false }))
  const sandbox = await sandboxNode(database, files.sandboxFacts)
  closers.push(sandbox.close, sandbox.sandbox.stop)
  const { now } = sandboxClock(database, Date.now)
  const sandboxTime = () => unixMs(Math.floor(now()))
  const hasMainnet = networks.mainnet.rpcUrls.length > 0
  const clock: Clock = {
    now: (environment) => (environment === 'mainnet' && hasMainnet ? wallTime() : sandboxTime()),
  }
  return { sandbox, clock }
}
