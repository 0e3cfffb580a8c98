import type { Network, Services } from '@quittance/billing'
import { freezing, type KeptFreezes } from '@quittance/billing/testing/internals'
import type { EventStore } from '@quittance/event-store'
import type { CursorStore, LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EffectTarget, Process, Scheduler } from './scheduler.ts'

/** Requests of one process for effects; see `Scheduler`. */
type EffectRequests = {
  readonly later: <L, A>(
    name: string,
    task: TaskEither<L, A>,
    target: EffectTarget,
    failure: L | null,
  ) => TaskEither<L, A>
  readonly now: <A>(name: string, work: () => A) => A
}

const lost = 'the simulation'

const storeThrough = ({ later }: EffectRequests, store: EventStore): EventStore => ({
  ...store,
  readStream: (stream, ...rest) =>
    later(`read ${stream}`, store.readStream(stream, ...rest), 'store', { _tag: 'StoreUnavailable', cause: lost }),
  append: (stream, head, events, alongside) => {
    const types = events.map(({ type }) => type).join(' ')
    const unknown = { _tag: 'OutcomeUnknown' as const, cause: lost }
    return later(`append ${types} to ${stream}`, store.append(stream, head, events, alongside), 'store', unknown)
  },
})

const gatewayThrough = ({ later }: EffectRequests, gateway: LedgerGateway): LedgerGateway => {
  const unreachable = { _tag: 'LedgerUnreachable' as const, cause: lost }
  return {
    networkPassphrase: gateway.networkPassphrase,
    latestLedger: () => later('ask for the latest ledger', gateway.latestLedger(), 'node', unreachable),
    protocol: () => later('ask for the protocol', gateway.protocol(), 'node', unreachable),
    feeStats: () =>
      later('ask what fees are', gateway.feeStats(), 'node', { _tag: 'FeeStatsUnavailable', cause: lost }),
    readLedgers: (from, limit, after) =>
      later(`read ledgers from ${from}`, gateway.readLedgers(from, limit, after), 'node', unreachable),
    accountView: (account, assets) =>
      later(`read account ${account}`, gateway.accountView(account, assets), 'node', unreachable),
    entries: (keys) => later('read entries', gateway.entries(keys), 'node', unreachable),
    simulate: (envelope) => later('simulate a call', gateway.simulate(envelope), 'node', unreachable),
    balances: (holdings) => later('read balances', gateway.balances(holdings), 'node', unreachable),
    submit: (envelope) =>
      later(`submit ${envelope.slice(-16)}`, gateway.submit(envelope), 'submission', {
        _tag: 'OutcomeUnknown',
        cause: lost,
      }),
    lookUp: (hash) => later(`look up ${hash}`, gateway.lookUp(hash), 'node', unreachable),
  }
}

const networkThrough = (effects: EffectRequests, network: Network): Network => {
  const { provision } = network
  const failed = { _tag: 'ProvisionFailed' as const, reason: lost }
  return {
    ...network,
    gateway: gatewayThrough(effects, network.gateway),
    provision: provision && ((secret) => effects.later('set up an account', provision(secret), 'node', failed)),
  }
}

const cursorThrough = ({ later }: EffectRequests, cursor: CursorStore<never>): CursorStore<never> => ({
  load: () => later('load the cursor', cursor.load(), 'itself', null),
  advance: (from, to) => later(`advance the cursor to ${to.sequence}`, cursor.advance(from, to), 'itself', null),
})

const standingThrough = ({ later }: EffectRequests, standing: Services['logStanding']): Services['logStanding'] => {
  const unavailable = { _tag: 'StoreUnavailable' as const, cause: lost }
  return {
    ...standing,
    check: () => later('check the log', standing.check, 'store', unavailable)(),
    suspect: (found) => later('suspect the log', () => standing.suspect(found), 'store', unavailable)(),
    accept: (accepted) => later('accept the log', () => standing.accept(accepted), 'store', unavailable)(),
  }
}

/** A process's services, all of whose effects wait for the scheduler. Reads of rows are not effects. */
export const servicesThrough = (
  scheduler: Scheduler,
  process: Process,
  services: Services,
  kept: KeptFreezes,
): Services => {
  const effects: EffectRequests = {
    later: (name, task, target, failure) => scheduler.later(process, name, task, target, failure),
    now: (name, work) => scheduler.now(process, name, work),
  }
  const { now } = effects
  const { networks, cursors, awaitingRate, claims, vault, clock, freshId } = services
  const store = storeThrough(effects, services.store)
  const { testnet } = networks
  return {
    ...services,
    store,
    freezing: freezing(store, kept, clock, freshId, services.left),
    logStanding: standingThrough(effects, services.logStanding),
    networks: { ...networks, testnet: testnet && networkThrough(effects, testnet) },
    cursors: { ...cursors, of: (environment) => cursorThrough(effects, cursors.of(environment)) },
    awaitingRate: {
      ...awaitingRate,
      addAll: async (awaiting) =>
        now('add incoming payments that wait for a rate', () => awaitingRate.addAll(awaiting)),
      remove: async (awaiting) =>
        now('remove an incoming payment that waited for a rate', () => awaitingRate.remove(awaiting)),
    },
    claims: {
      ...claims,
      open: async (request) => {
        const claim = await now(`open claim ${request.key}`, () => claims.open(request))
        if (E.isLeft(claim)) return claim
        const { bind, drop, release } = claim.right
        return E.right({
          ...claim.right,
          bind: async () => now(`bind claim ${request.key}`, bind),
          drop: async () => now(`drop claim ${request.key}`, drop),
          release: async () => now(`release claim ${request.key}`, release),
        })
      },
    },
    vault: {
      ...vault,
      createKey: (key) => async () => now(`make key ${key}`, vault.createKey(key)),
      sign: (request) => async () => now(`use key ${request.key}`, vault.sign(request)),
      signings: {
        ...vault.signings,
        add: async (record) => now(`record a use of ${record.key}`, () => vault.signings.add(record)),
      },
    },
  }
}
