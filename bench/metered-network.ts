import { join } from 'node:path'
import { type Network, quoter } from '@quittance/billing'
import { AcceptedAsset, ContractId, stroops, unixMs } from '@quittance/domain'
import { decoded, start } from '@quittance/domain/testing'
import { openDatabase } from '@quittance/event-store/sqlite'
import { rpcGateway, sandboxRates } from '@quittance/ledger'
import { openSandbox, rpcInProcess } from '@quittance/sandbox'

export const passphrase = 'Money Under Measure'
const betweenLedgersMs = 5_000
/** Commits do not wait for the disk, since the benchmark measures processor time. */
export const durability = 'relaxedLosesCommitsOnPowerLoss'

/** This process's processor time, in microseconds. */
export const microsSince = (before?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/**
 * The sandbox's network in this process, whose ledgers close on command, five seconds apart. Its node exchanges texts
 * as over a socket; its processor time is metered separately, in microseconds.
 */
export const openNetwork = (folder: string) => {
  let wallMs: number = start
  let micros = 0
  const metered = <A>(work: () => A): A => {
    const before = process.cpuUsage()
    const done = work()
    micros += microsSince(before)
    return done
  }
  const database = openDatabase(join(folder, 'ledger'), { durability })
  const sandbox = openSandbox({ database, wallClock: () => wallMs, passphrase })
  const node = rpcInProcess(sandbox)
  const gateway = rpcGateway({
    url: 'http://node.bench',
    networkPassphrase: passphrase,
    timeoutMs: 1_000,
    carry: async (request) => metered(() => node(request)),
  })
  const lumens = decoded(AcceptedAsset, { assetId: 'native', description: 'XLM', pegged: false })
  const dollars = sandbox.assets().find(({ code }) => code === 'USDC')?.assetId
  const usdc = decoded(AcceptedAsset, { assetId: dollars, description: 'USDC', pegged: true })
  const network: Network = {
    gateway,
    ...quoter(sandboxRates),
    paths: null,
    assets: [lumens, usdc],
    setUpBalance: stroops(0n),
    isInBackups: true,
    friendbot: null,
    mandateContract: decoded(ContractId, sandbox.mandateContract),
    provision: null,
  }
  return {
    /** The sandbox's ledger. */
    database,
    sandbox,
    network,
    now: () => unixMs(Math.floor(sandbox.clock().now)),
    usdc: usdc.assetId,
    /** Lets time pass, then closes a ledger. */
    close: (passedMs = betweenLedgersMs): void => {
      wallMs += passedMs
      metered(sandbox.close)
    },
    micros: () => micros,
    end: database.close,
  }
}
