import type { AccountKeys, KeyHolder } from '@quittance/billing'
import type { AccountId } from '@quittance/domain'
import { ownAccountsIn, weightsOn } from '../own-accounts.ts'
import type { Player } from '../player.ts'
import type { Stage } from '../stage.ts'

/** How old a key of an account is: the one that names it is 0, the vault counts later ones. */
const ageOf = (key: string): number => (key.startsWith('rotated/') ? Number(key.split('/').at(-1)) : 0)

/**
 * An operator who rotates the keys of settlement, operator and channel accounts, at any time and often twice in a row. He looks
 * at the keys before each ledger, and at each signature.
 */
export const rotator = (stage: Stage): Player => {
  const { random, fixture, network, scheduler, visit, faultFree, witness } = stage
  const merchants = [fixture, fixture.neighbour].flatMap((each) => (each === null ? [] : [each.merchantId]))
  const holders: ReadonlyArray<KeyHolder> = [
    ...merchants.map((merchantId) => ({ _tag: 'settlement' as const, merchantId })),
    { _tag: 'operator' },
    { _tag: 'channels' },
  ]
  let isActive = true
  const heard = (shown: ReadonlyArray<AccountKeys>): void => {
    // An account that the ledger does not hold has no key to rotate.
    for (const { account, asOf, rotation } of shown)
      if (rotation === null && asOf !== null) witness(`a rotation is answered and not recorded: ${account}`)
  }
  const rotate = (of: KeyHolder): void =>
    visit(`a rotation of the key of ${of._tag}`, ({ accountKeys }) => accountKeys.rotate('testnet', of), heard)
  const prepare = (of: KeyHolder): void =>
    visit(`a new key of ${of._tag}`, ({ accountKeys }) => accountKeys.prepare('testnet', of))

  /** The key with weight by account, and those that had it before. */
  const [present, former] = [new Map<AccountId, string>(), new Map<AccountId, Set<string>>()]
  network.beforeEachLedger(async () => {
    for (const { account, keys } of await ownAccountsIn(stage)) {
      const weights = weightsOn(stage, account)
      if (weights === null) continue
      const [[key, isEnough] = ['', false], ...others] = weights
      if (others.length > 0) witness(`several keys of ${account} have weight: ${[...weights.keys()]}`)
      if (!isEnough) witness(`no key of ${account} has enough weight alone`)
      if (!keys.some((own) => own === key)) witness(`the vault lacks the key of ${account}`)
      const earlier = former.get(account) ?? new Set()
      if (earlier.has(key)) witness(`a key of ${account} has its weight again: ${key}`)
      const before = present.get(account)
      if (before !== undefined && before !== key) former.set(account, earlier.add(before))
      present.set(account, key)
    }
  })
  /** The newest key of which the log knows that the ledger gave it its weight, and since which effect. */
  const known = new Map<string, { readonly age: number; readonly since: number }>()
  stage.watch({
    appended: async (stream, events) => {
      if (!events.some(({ type }) => type === 'IntentSettled')) return
      const action = (await faultFree.readModels.intents.withId(stream.slice('intent-'.length)))?.row.details
      if (action?.action._tag !== 'rotate_key') return
      const { to } = action.action
      const own = (await ownAccountsIn(stage)).find(({ account }) => account === action.source)
      known.set(action.source, { age: own?.keys.indexOf(to) ?? 0, since: scheduler.performed() })
    },
    signed: ({ account, key, purpose }, work) => {
      const newest = known.get(account)
      if (newest === undefined || work === null || purpose !== 'transaction' || work.at < newest.since) return
      if (ageOf(key) < newest.age) witness(`${work.process.name} signs for ${account} by ${key}, a key without weight`)
    },
  })
  return {
    moves: [
      { name: 'a rotation', weight: 4, act: () => rotate(random.oneOf(holders)) },
      { name: 'a key is made for a rotation', weight: 1, act: () => prepare(random.oneOf(holders)) },
    ],
    rest: () => {
      isActive = false
    },
    attend: () => {
      if (isActive && random.onceIn(2)) rotate(random.oneOf(holders))
    },
  }
}
