import { signerOf } from '@quittance/billing/testing/internals'
import type { AccountId } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import { type LedgerGateway, signEnvelope } from '@quittance/ledger'
import { Account, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

/** Signs with the first key of an account, as if it had never been rotated. */
const signByFirstKey: PlantedBug = (services) => {
  const { testnet } = services.networks
  if (testnet === null) return services
  const accountView: LedgerGateway['accountView'] = (account, assets) => async () => {
    const read = await testnet.gateway.accountView(account, assets)()
    if (E.isLeft(read) || read.right === null) return read
    const authority = { ...read.right.authority, signers: [{ key: account, weight: 1 }] }
    return E.right({ ...read.right, authority })
  }
  const network = { ...testnet, gateway: { ...testnet.gateway, accountView } }
  return { ...services, networks: { ...services.networks, testnet: network } }
}

/** Gives the key that an account had before some weight again, once a rotation is done. */
const keepOldKey: PlantedBug = (services) => {
  const { store, networks, readModels } = services
  const append: EventStore['append'] = (stream, head, events, alongside) => async () => {
    const appended = await store.append(stream, head, events, alongside)()
    const details = (await readModels.intents.withId(stream.slice('intent-'.length)))?.row.details
    const isDone = E.isRight(appended) && events.some(({ type }) => type === 'IntentSettled')
    if (isDone && details?.action._tag === 'rotate_key') await addSigner(details.source)
    return appended
  }
  const addSigner = async (account: AccountId): Promise<void> => {
    const { testnet } = networks
    const view = testnet === null ? null : await testnet.gateway.accountView(account, [])()
    if (testnet === null || view === null || E.isLeft(view) || view.right === null) return
    const signer = await signerOf(services, 'testnet', { key: 'none', account }, view.right)
    if (signer === null) return
    const { networkPassphrase } = testnet.gateway
    const source = new Account(account, `${view.right.accountSequence}`)
    const built = new TransactionBuilder(source, { fee: '10000', networkPassphrase })
      .addOperation(Operation.setOptions({ masterWeight: 1 }))
      .setTimeout(0)
      .build()
    const signed = await signEnvelope(built.toXdr(), [signer], networkPassphrase)()
    if (E.isRight(signed)) await testnet.gateway.submit(signed.right)()
  }
  return { ...services, store: { ...store, append } }
}

/** Forgets the rotations that waited when a process started, as if only memory held them. */
const forgetAtStart: PlantedBug = (services) => {
  const { intents } = services.readModels
  const forgotten = intents.all().then((all) => {
    const waiting = all.filter(({ row }) => row.details.class === 'rotation' && row.status === 'waiting')
    return new Set(waiting.map(({ id }) => id))
  })
  const ofStatus: typeof intents.ofStatus = async function* (scope, status) {
    const ids = await forgotten
    for await (const found of intents.ofStatus(scope, status)) if (!ids.has(found.id)) yield found
  }
  return { ...services, readModels: { ...services.readModels, intents: { ...intents, ofStatus } } }
}

/** The keys that all processes of a run remember, by the clock of that run. */
const remembered = new WeakMap<object, Set<string>>()

/** Uses the later keys of accounts without having written them to the disk. */
const keepInMemory: PlantedBug = (services) => {
  const { vault, clock } = services
  const known = remembered.get(clock.now) ?? new Set<string>()
  remembered.set(clock.now, known)
  const isLater = (key: string): boolean => key.startsWith('rotated/')
  const nameOf = (key: string): string => (isLater(key) ? `kept in memory: ${key}` : key)
  return {
    ...services,
    vault: {
      ...vault,
      keysNamed: async (beginning) =>
        [
          ...new Set([...(await vault.keysNamed(beginning)), ...[...known].filter((key) => key.startsWith(beginning))]),
        ].sort(),
      publicKey: (key) => vault.publicKey(nameOf(key)),
      createKey: (key) => {
        if (isLater(key)) known.add(key)
        return vault.createKey(nameOf(key))
      },
      sign: (request) => vault.sign({ ...request, key: nameOf(request.key) }),
    },
  }
}

/** Bugs in the rotation of keys, in each world that has a rotator. */
export const rotationBugs: Readonly<Record<string, PlantedBug>> = {
  'a rotated account is signed for by its first key': signByFirstKey,
  'an earlier key has weight beside the new one': keepOldKey,
  'a rotation is forgotten when a process starts again': forgetAtStart,
  'a later key has weight and is not on the disk': keepInMemory,
}
