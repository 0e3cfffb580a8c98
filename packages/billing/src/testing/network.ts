import { AcceptedAsset, type AccountId, asText, ContractId, stroops, type UnixMs, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
import {
  type LedgerGateway,
  type PathOffer,
  type RateObservation,
  type RateSource,
  referenceFrom,
  rpcGateway,
  sandboxRates,
} from '@quittance/ledger'
import { listen, openSandbox } from '@quittance/sandbox'
import { foundedDatabase } from '@quittance/sandbox/testing/founded'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network } from '../services/services.ts'
import { quoter } from '../stores/quotes/quoter.ts'

export const passphrase = 'Billing Under Test'
/** 2026-11-01T00:00:00Z. */
const startMs = 1_793_491_200_000

/**
 * `percent`: the price of XLM against its pinned price; `dollarPercent`, of USDC. `isOut`: no rate is available. `knowsSince`: no rate is
 * available for an earlier moment.
 */
type Rates = { percent: number; dollarPercent: number; isOut: boolean; knowsSince: number }

type Market = { offers: ReadonlyArray<PathOffer>; isOut: boolean }

const ratesFrom = (rates: Rates): RateSource => ({
  observe: (pairs, at) =>
    rates.isOut || at < rates.knowsSince
      ? TE.left({ _tag: 'RateUnavailable', pair: pairs.join(), reason: 'SourceUnreachable', cause: 'a test' })
      : pipe(
          sandboxRates.observe(pairs, at),
          TE.map((observations) =>
            observations.map((each): RateObservation => {
              if (each.pair === 'XLM/USD') return { ...each, rate: asText(`${(0.25 * rates.percent) / 100}`) }
              return each.pair === 'USDC/USD' ? { ...each, rate: asText(`${rates.dollarPercent / 100}`) } : each
            }),
          ),
        ),
})

/**
 * A Stellar network in memory behind a real socket, whose clock stands still unless it is moved, and whose ledgers
 * close on command. `timeoutMs` is how long its node may be silent.
 */
export const startNetwork = async ({ timeoutMs = 60_000 }: { readonly timeoutMs?: number } = {}) => {
  let wallMs = startMs
  const sandbox = openSandbox({
    database: foundedDatabase(passphrase, startMs),
    wallClock: () => wallMs,
    passphrase,
  })
  const node = await listen(sandbox)
  let peer: Promise<Peer> | null = null
  const rpc = rpcGateway({ url: node.url, networkPassphrase: passphrase, timeoutMs })
  const faults = { losesSubmissions: false }
  const gateway: LedgerGateway = {
    ...rpc,
    submit: (envelope) =>
      faults.losesSubmissions ? TE.left({ _tag: 'OutcomeUnknown', cause: 'a test' }) : rpc.submit(envelope),
  }
  /** The answer of the path finder, which a test chooses. */
  const market: Market = { offers: [], isOut: false }
  const rates: Rates = { percent: 100, dollarPercent: 100, isOut: false, knowsSince: 0 }
  const assetOf = (code: string): AcceptedAsset => {
    const offered = sandbox.assets().find((each) => each.code === code)
    return decoded(AcceptedAsset, { assetId: offered?.assetId, description: code, pegged: code !== 'XLM' })
  }
  const assets = { usdc: assetOf('USDC'), xlm: assetOf('XLM'), eurc: assetOf('EURC') }
  const omnibusAccounts = new Set<AccountId>()
  const now = (): UnixMs => unixMs(Math.floor(sandbox.clock().now))

  /** The network of one process: each process caches rates. */
  const seen = (): Network => ({
    gateway,
    ...quoter(ratesFrom(rates)),
    paths: {
      finder: {
        strictReceive: ({ sourceAssets }) =>
          market.isOut
            ? TE.left({ _tag: 'PathsUnavailable', cause: 'a test' })
            : TE.right(market.offers.filter(({ sendAsset }) => sourceAssets.includes(sendAsset))),
      },
      reference: referenceFrom(ratesFrom(rates)),
      assets: [assets.xlm, assets.usdc, assets.eurc],
    },
    assets: [assets.usdc, assets.xlm, assets.eurc],
    setUpBalance: stroops(100_000_000_000n),
    isInBackups: true,
    friendbot: null,
    mandateContract: decoded(ContractId, sandbox.mandateContract),
    provision: (secret) =>
      pipe(
        sandbox.provision(secret),
        TE.bimap(
          ({ code }) => ({ _tag: 'ProvisionFailed', reason: code }),
          () => undefined,
        ),
      ),
  })
  /** Lets time pass, and a ledger close at its end. */
  const wait = (ms: number): void => {
    wallMs = Math.max(wallMs, now()) + ms
    sandbox.close()
  }
  /** The address of the server that all events are on, in the file of whoever asks first. */
  const eventStore = async (path: string): Promise<string> => {
    peer ??= startPeer({ path, port: 0, clock: now })
    return (await peer).connectionString
  }
  const stopEventStore = async (): Promise<void> => {
    await (await peer)?.stop()
    peer = null
  }
  const close = async (): Promise<void> => {
    await stopEventStore()
    await node.close()
  }
  return {
    sandbox,
    gateway,
    faults,
    rates,
    market,
    omnibusAccounts,
    now,
    seen,
    wait,
    eventStore,
    stopEventStore,
    close,
    ...assets,
  }
}

export type TestNetwork = Awaited<ReturnType<typeof startNetwork>>
