import {
  AcceptedAsset,
  type AccountId,
  asText,
  ContractId,
  hourMs,
  stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
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
import { listen, openSandbox, type Sandbox } from '@quittance/sandbox'
import { foundedDatabase } from '@quittance/sandbox/testing/founded'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network } from '../services/services.ts'
import type { Mail, Mailer, MailFailure } from '../stores/mail/mailer.ts'
import { quoter } from '../stores/quotes/quoter.ts'
import type { Screening } from '../stores/screening/port.ts'
import type { Signer } from '../stores/signing/signer.ts'

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
  const wallClock = () => wallMs
  let current = openSandbox({ database: foundedDatabase(passphrase, startMs), wallClock, passphrase })
  /** The sandbox, also after the network was reset. */
  const sandbox: Sandbox = {
    networkPassphrase: current.networkPassphrase,
    assets: current.assets,
    mandateContract: current.mandateContract,
    clock: () => current.clock(),
    get read() {
      return current.read
    },
    get faults() {
      return current.faults
    },
    submit: (envelope) => current.submit(envelope),
    close: () => current.close(),
    start: (...order) => current.start(...order),
    stop: () => current.stop(),
    advance: (request) => current.advance(request),
    fund: (request) => current.fund(request),
    provision: (secret) => current.provision(secret),
  }
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
  /** Whom a screening lists, which a test chooses; off by default. */
  const denied = { isOn: false, isDown: false, addresses: new Set<string>() }
  const screening: Screening = {
    get isOn() {
      return denied.isOn
    },
    listed: (addresses) =>
      denied.isDown
        ? TE.left({ _tag: 'ScreeningUnavailable', cause: 'a test' })
        : TE.right(new Set(addresses.filter((address) => denied.isOn && denied.addresses.has(address)))),
  }
  /** The mails that were sent; none goes out while `trouble` is set. */
  const mailbox = { sent: [] as Mail[], trouble: O.none as O.Option<MailFailure> }
  const mailer: Mailer = {
    send: (mail) => async () => {
      if (O.isSome(mailbox.trouble)) return E.left(mailbox.trouble.value)
      mailbox.sent.push(mail)
      return E.right(undefined)
    },
  }
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
  /** The operators of the network begin it anew, an hour later: ledger 1, the same passphrase, and nothing of what was there. */
  const startAnew = (): void => {
    wallMs = Math.max(wallMs, now()) + hourMs
    current = openSandbox({ database: foundedDatabase(passphrase, wallMs), wallClock, passphrase })
    current.close()
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
    /** Where keys are made and held; null: in the vault. */
    signer: null as Signer | null,
    denied,
    screening,
    mailbox,
    mailer,
    now,
    seen,
    wait,
    startAnew,
    eventStore,
    stopEventStore,
    close,
    ...assets,
  }
}

export type TestNetwork = Awaited<ReturnType<typeof startNetwork>>
