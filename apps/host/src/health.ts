import {
  type LogKeeper,
  longestWait,
  type PlatformFeeSums,
  platformFeeSums,
  type Services,
  type SetbackCount,
  type WaitingExceptions,
  waitingExceptions,
} from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import type { ReleaseWatch } from '@quittance/event-store/postgres'
import type { RateWatch } from '@quittance/ledger'
import type { LostRevenue } from '@quittance/projections'
import { type AnchorsReadiness, anchorsReadiness } from './anchors-readiness.ts'
import type { Arrivals } from './arrivals.ts'
import { type Books, type BooksReadiness, booksOf, booksReadiness } from './books-readiness.ts'
import { type ContractsReadiness, contractsReadiness } from './contracts-readiness.ts'
import { ofEnvironments } from './environments.ts'
import { type FreezesReadiness, freezeCounts, freezesReadiness } from './freezes-readiness.ts'
import { ifStoreAnswers } from './if-store-answers.ts'
import { type KeysReadiness, keysReadiness } from './keys-readiness.ts'
import type { ReadProgress } from './log-progress.ts'
import { type LogReadiness, logReadiness } from './log-readiness.ts'
import { type PayoutsReadiness, type PayoutTrouble, payoutsReadiness, payoutTroubles } from './payouts-readiness.ts'
import { type RatesReadiness, ratesReadiness } from './rates-readiness.ts'
import { type Readiness, readinessOf, type WatchedLedger } from './readiness.ts'
import { type ReleaseReadiness, releaseReadiness } from './release-watch.ts'
import { type RentReadiness, rentReadiness } from './rent-readiness.ts'
import { type ResetsReadiness, resetsReadiness } from './resets-readiness.ts'
import { type SetbacksReadiness, setbackCounts, setbacksReadiness } from './setbacks-readiness.ts'
import { type SettlementReadiness, settlementReadiness } from './settlement-readiness.ts'
import { type TransparencyReadiness, transparencyReadiness } from './transparency-readiness.ts'
import type { Workers } from './workers.ts'
import { type WriteProbes, writesReadiness } from './writes-readiness.ts'

/** What `/ready` answers, and what the metrics measure. Null: the store does not answer. */
export type Health = {
  readonly readiness: () => Promise<
    Readiness & {
      readonly log: LogReadiness
      readonly transparency: TransparencyReadiness
      readonly release: ReleaseReadiness
      /** The process was told to stop, and answers a little longer. */
      readonly stopping: boolean
      readonly resets: ResetsReadiness
      readonly freezes: FreezesReadiness
      readonly keys: KeysReadiness
      readonly rates: RatesReadiness
      readonly payouts: PayoutsReadiness
      readonly anchors: AnchorsReadiness
      readonly books: BooksReadiness | null
      readonly rent: RentReadiness
      readonly setbacks: SetbacksReadiness | null
      readonly settlement: SettlementReadiness | null
      readonly contracts: ContractsReadiness | null
    }
  >
  /** From now on the service is not ready, so that load balancers send nothing more. */
  readonly leave: () => void
  readonly books: () => Promise<Books>
  /** How long the contracts that mandates name live. */
  readonly rent: () => RentReadiness
  /** What stops outgoing money, as the workers of this process met it. */
  readonly payoutTroubles: () => ReadonlyArray<PayoutTrouble>
  /** Whether the log went back, as the last check of this process found it. */
  readonly log: () => LogReadiness
  /** Whether checkpoints of the log are signed and cosigned, as this process found it. */
  readonly transparency: () => TransparencyReadiness
  /** Counts what is frozen. */
  readonly freezes: () => Promise<ReturnType<typeof freezeCounts>>
  /** Counts the items of merchants that have failed and wait for a retry. */
  readonly setbacks: () => Promise<ReadonlyArray<SetbackCount & { readonly environment: Environment }>>
  /** The prices of periods that nobody is charged for because of a cause on our side. */
  readonly lostRevenue: () => Promise<ReadonlyArray<LostRevenue & { readonly environment: Environment }>>
  /** What the operator's fees come to, by asset. */
  readonly platformFees: () => Promise<ReadonlyArray<PlatformFeeSums & { readonly environment: Environment }>>
  /** How late events reach endpoints. */
  readonly webhooks: {
    readonly onArrival: Arrivals['listen']
    /** Of the oldest event that waits to be sent, in milliseconds. */
    readonly longestWait: (environment: Environment) => Promise<number>
  }
  /** Counts the exceptions that wait for a decision. */
  readonly waitingExceptions: () => Promise<ReadonlyArray<WaitingExceptions>>
}

export const healthOf = (
  services: Services,
  workers: Workers,
  readProgress: ReadProgress,
  rates: RateWatch,
  probes: WriteProbes,
  arrivals: Arrivals,
  release: ReleaseWatch | null,
  keeper: Pick<LogKeeper, 'standing'>,
): Health => {
  const { networks, cursors, halts, awaitingRate, clock } = services
  const watched = (environment: Environment): WatchedLedger | null => {
    const network = networks[environment]
    if (network === null) return null
    const halted = () => halts.of(environment)
    const protocol = () => workers[environment]?.protocol() ?? null
    return { gateway: network.gateway, cursor: cursors.of(environment), halted, protocol }
  }
  const ledgers = { testnet: watched('testnet'), mainnet: watched('mainnet') }
  const readiness = readinessOf(readProgress, ledgers, writesReadiness(probes), clock.now)
  const freezes = freezesReadiness(services.freezing)
  const resets = resetsReadiness(services.epochs)
  const books = () => booksOf(services, workers)
  const recordedInTime = ifStoreAnswers(books)
  const setbacksInTime = ifStoreAnswers(() => setbacksReadiness(services.setbacks))
  const settlementInTime = ifStoreAnswers(() => settlementReadiness(services))
  const contractsInTime = ifStoreAnswers(() => contractsReadiness(services))
  const waitingInTime = ifStoreAnswers(() => ofEnvironments(awaitingRate.of))
  let stopping = false
  const log = () => logReadiness(services.logStanding.now())
  return {
    readiness: async () => {
      const [found, frozen, reset, recorded, setbacks, settlement, contracts, waiting] = await Promise.all([
        readiness(),
        freezes(),
        resets(),
        recordedInTime(),
        setbacksInTime(),
        settlementInTime(),
        contractsInTime(),
        waitingInTime(),
      ])
      return {
        ...found,
        status: log().status === 'sound' && !stopping ? found.status : 'not_ready',
        log: log(),
        transparency: transparencyReadiness(keeper.standing()),
        release: releaseReadiness(release),
        stopping,
        resets: reset,
        freezes: frozen,
        keys: keysReadiness(services.vault),
        rates: ratesReadiness(rates.troubles(), waiting === null ? null : waiting.length),
        payouts: payoutsReadiness(payoutTroubles(workers)),
        anchors: anchorsReadiness(payoutTroubles(workers)),
        books: recorded && booksReadiness(recorded),
        rent: rentReadiness(workers),
        setbacks,
        settlement,
        contracts,
      }
    },
    leave: () => {
      stopping = true
    },
    books,
    rent: () => rentReadiness(workers),
    log,
    transparency: () => transparencyReadiness(keeper.standing()),
    freezes: async () => freezeCounts(await freezes()),
    payoutTroubles: () => payoutTroubles(workers),
    setbacks: () => setbackCounts(services.setbacks),
    lostRevenue: () =>
      ofEnvironments(async (environment) =>
        (await services.readModels.lostRevenue.totals(environment, null)).map((lost) => ({ environment, ...lost })),
      ),
    platformFees: () =>
      ofEnvironments(async (environment) =>
        (await platformFeeSums(services, environment)).map((sums) => ({ environment, ...sums })),
      ),
    webhooks: {
      onArrival: arrivals.listen,
      longestWait: (environment) => longestWait(services, environment),
    },
    waitingExceptions: () => ofEnvironments((environment) => waitingExceptions(services, environment)),
  }
}
