import type { SqlDatabase } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { advanceClock } from './advance.ts'
import { writableClock } from './clock.ts'
import { callTransaction } from './deployment/call-transaction.ts'
import { mandateContractOf } from './deployment/contracts.ts'
import { extensionDue } from './deployment/upkeep.ts'
import { findPaths } from './exchange/paths.ts'
import { fundingGrant, type Grant, keypairOf, provisioningGrant } from './faucet/grants.ts'
import { faucetOf } from './faucet/index.ts'
import { consentOf } from './faults/consent.ts'
import { entriesToExpire, expireEntries } from './faults/expiries.ts'
import { faultStore } from './faults/fault-store.ts'
import type { Faults } from './faults/faults.ts'
import { initializeNetwork } from './genesis.ts'
import { closeLedger } from './ledger/close-ledger.ts'
import type { ClosingLedger, LedgerDraft } from './ledger/draft.ts'
import { fullRoom, type LedgerRoom } from './ledger/ledger-room.ts'
import { spendableBy } from './ledger/spendable.ts'
import { selectForLedger } from './ledger-selection.ts'
import { cachedUpkeep } from './market/upkeep.ts'
import { baseFee, defaultPassphrase, networkOf, protocolVersion } from './network.ts'
import { ageQueue, submitTo } from './queue.ts'
import type { ClosedLedger, FaultRefused, Funding, FundingRefused, FundRequest, Sandbox } from './sandbox-api.ts'
import { storeIn } from './store/index.ts'
import { createTables } from './store/schema.ts'
import { tickerOf } from './ticker.ts'

/** `wallClock` answers milliseconds since 1970. A database holds one network; another passphrase is refused. */
export type SandboxOptions = {
  readonly database: SqlDatabase
  readonly wallClock: () => number
  readonly passphrase?: string
}

/**
 * Opens the network in a database, or creates one. State, queue and clock continue where they stopped. Throws
 * `OtherNetwork` when the database holds another network.
 */
export const openSandbox = ({ database, wallClock, passphrase = defaultPassphrase }: SandboxOptions): Sandbox => {
  const network = networkOf(passphrase)
  createTables(database)
  const store = storeIn(database)
  const clock = writableClock(database, wallClock)
  initializeNetwork(database, network, store, clock.now())
  clock.reach(store.ledgers.range().latest.closeTime * 1_000)
  const faults = faultStore(database, () => store.ledgers.range().latest.sequence)
  const consent = consentOf(network, database, faults)
  const faucet = faucetOf(network, store, [cachedUpkeep(network, store.entries), consent.due])

  /** The capacity left beside the sandbox's own operations. */
  const roomBeside = (operations: number): LedgerRoom => {
    const narrowed = faults.present().ledger_room
    return {
      classic: Math.min(narrowed?.operations ?? fullRoom.classic, fullRoom.classic - operations),
      contract: narrowed?.contract_transactions ?? fullRoom.contract,
    }
  }

  const nextLedger = (): ClosingLedger & { readonly lastCloseTime: bigint } => {
    const { latest } = store.ledgers.range()
    const closeTime = Math.max(Math.floor(clock.now() / 1_000), latest.closeTime + 1)
    return {
      sequence: latest.sequence + 1,
      closeTime: BigInt(closeTime),
      lastCloseTime: BigInt(latest.closeTime),
      baseFee: BigInt(faults.present().fee_surge?.base_fee ?? baseFee),
      operations: faults.present().ledger_room?.operations ?? fullRoom.classic,
      protocol: faults.present().protocol?.current ?? protocolVersion,
    }
  }

  const closeStored = (): ClosedLedger => {
    const ledger = nextLedger()
    const given = faucet.contribute(ledger)
    // Anyone who knows the passphrase can sign for the contract keeper, and that transaction came first.
    const kept = extensionDue(store.entries, network, ledger.sequence)
      .map((each) => callTransaction(network, store.entries, ledger, each))
      .filter((each) => store.queue.waitingFor(each) === undefined)
    const included = given === undefined ? kept : [given, ...kept]
    const room = roomBeside(included.reduce((sum, each) => sum + each.transaction.operations.length, 0))
    const { taken, prices } = selectForLedger(network, store, ledger, room)
    const ending = entriesToExpire(network, faults.present())
    const after = (draft: LedgerDraft) => ('_tag' in ending ? [] : expireEntries(draft, ending))
    const closed = closeLedger(network, store, { ...ledger, prices }, [...included, ...taken], { after })
    ageQueue(store, closed.sequence)
    clock.reach(closed.closeTime * 1_000)
    return closed
  }

  const close = (): ClosedLedger => {
    const closed = database.transaction(closeStored)
    faucet.settle(closed)
    return closed
  }

  const dueInMs = () => (store.ledgers.range().latest.closeTime + 1) * 1_000 - clock.now()
  const ticker = tickerOf(dueInMs, close)
  const reading = () => ({ now: clock.now(), ledger: store.ledgers.range().latest.sequence })
  const isAnythingQueued = () => store.queue.operations() > 0 || faucet.isWaitedFor()

  /** Drops or delays an accepted transaction as the knobs say. */
  const applyQueueFaults = (hash: string, nextSequence: number): void => {
    const late = faults.take('include_late')
    if (late !== undefined) store.queue.hold(hash, nextSequence + late.ledgers)
    if (faults.take('drop') !== undefined) store.queue.drop(hash)
  }
  const setFaults = (asked: Faults): E.Either<FaultRefused, Faults> =>
    database.transaction(() => {
      const refused = asked.deauthorise && consent.withdraw(asked.deauthorise)
      if (refused !== undefined) return E.left({ _tag: 'FaultRefused', knob: 'deauthorise', field: refused })
      const ending = entriesToExpire(network, asked)
      if ('_tag' in ending) return E.left(ending)
      faults.set(asked)
      return E.right(faults.present())
    })

  // Advances run one after another: each starts where the previous one ended.
  let lastAdvance: Promise<unknown> = Promise.resolve()

  /** Closes the ledgers that requested grants wait for while no timer does. */
  const giveGrants = (): void => {
    while (faucet.isWaitedFor()) close()
  }
  const request = (grant: Grant): Promise<E.Either<FundingRefused, Funding>> => {
    const answer = faucet.request(grant)
    if (!ticker.isTicking()) giveGrants()
    return answer
  }
  const fund = async (asked: FundRequest): Promise<E.Either<FundingRefused, Funding>> => {
    const grant = fundingGrant(network, asked)
    return E.isLeft(grant) ? grant : request(grant.right)
  }
  const provision = async (secretKey: string): Promise<E.Either<FundingRefused, { readonly address: string }>> => {
    const keypair = keypairOf(secretKey)
    if (E.isLeft(keypair)) return keypair
    const granted = await request(provisioningGrant(network, keypair.right))
    return E.isLeft(granted) ? granted : E.right({ address: keypair.right.publicKey() })
  }

  return {
    networkPassphrase: passphrase,
    assets: () => network.assets,
    mandateContract: mandateContractOf(network),
    clock: reading,
    read: {
      range: store.ledgers.range,
      ledgersFrom: store.ledgers.from,
      findTransaction: store.transactions.find,
      transactionsFrom: store.transactions.from,
      eventsBehind: store.events.behind,
      feesBetween: store.transactions.feesBetween,
      findEntry: (key) => store.entries.find(key.toXdr('hex')),
      findPaths: (query) => findPaths(store.entries, query),
      spendable: (account) => spendableBy(store.entries, account),
    },
    faults: { present: faults.present, take: faults.take, set: setFaults },
    submit: (envelope) =>
      database.transaction(() => {
        const { lastCloseTime, ...closing } = nextLedger()
        const isLessAccepted = faults.present().fee_surge?.accepts_less === true
        const next = isLessAccepted ? { ...closing, baseFee } : closing
        const submitted = submitTo(network, store, { next, lastCloseTime, room: roomBeside(0) }, envelope)
        if (E.isRight(submitted) && submitted.right.status === 'PENDING')
          applyQueueFaults(submitted.right.hash, next.sequence)
        return submitted
      }),
    close,
    start: ticker.start,
    stop: () => {
      ticker.stop()
      giveGrants()
    },
    advance: (request) => () => {
      const advanced = lastAdvance.then(() =>
        ticker.pausedWhile(() => {
          // The work that the advance settles may wait for a grant.
          giveGrants()
          return advanceClock({ clock, close, reading, isAnythingQueued }, request)
        }),
      )
      lastAdvance = advanced.catch(() => undefined)
      return advanced
    },
    fund: (asked) => () => fund(asked),
    provision: (secretKey) => () => provision(secretKey),
  }
}
