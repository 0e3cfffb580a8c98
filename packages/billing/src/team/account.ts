import { type JsonObject, type KeyedHash, KeyedHash as KeyedHashCodec, type MemberId, UnixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { MemberAccount } from '../stores/members/accounts.ts'
import { orNull } from '../stores/sql/query.ts'
import { type TeamServices, teamTime } from './services.ts'

const Passkey = t.strict({
  id: t.string,
  publicKey: t.string,
  counter: t.number,
  transports: t.readonlyArray(t.string),
  name: t.string,
  addedAt: UnixMs,
  usedAt: orNull(UnixMs),
})
export type Passkey = t.TypeOf<typeof Passkey>

/** `lastStep`: the newest of the steps of 30 seconds whose code was used, so that each works once. */
const Totp = t.strict({ secret: t.string, isOn: t.boolean, lastStep: t.number })

const AccountData = t.strict({
  email: t.string,
  name: orNull(t.string),
  password: orNull(t.string),
  totp: orNull(Totp),
  passkeys: t.readonlyArray(Passkey),
  recoveryHashes: t.readonlyArray(KeyedHashCodec),
  invitation: orNull(t.strict({ hash: KeyedHashCodec, endsAt: UnixMs })),
})
/** Who a member is, and what proves it: in the clear only here. `password` is a hash; passkeys are public keys. */
export type AccountData = t.TypeOf<typeof AccountData>

export type Account = Pick<MemberAccount, 'memberId' | 'merchantId'> & { readonly data: AccountData }

const mostTries = 10

/** Emails are compared without surrounding space and in lower case. One belongs to one member of the whole service. */
export const memberEmailHash = ({ vault }: Pick<TeamServices, 'vault'>, email: string): Promise<KeyedHash> =>
  vault.keyedHash('member email', email.trim().toLowerCase())

export const accountBook = ({ members: { accounts }, vault }: TeamServices) => {
  const opened = async (kept: MemberAccount | null): Promise<Account | null> => {
    const data = kept === null ? O.none : await vault.unseal(kept.memberId, kept.sealed)
    if (kept === null || O.isNone(data)) return null
    return { memberId: kept.memberId, merchantId: kept.merchantId, data: decodeOrThrow(AccountData, data.value) }
  }
  const sealed = (memberId: MemberId, data: AccountData) => {
    const encoded: JsonObject = AccountData.encode(data)
    return vault.seal(memberId, encoded)
  }
  return {
    /** False if another member has the email. */
    add: async ({ memberId, merchantId, data }: Account): Promise<boolean> => {
      const box = await sealed(memberId, data)
      if (O.isNone(box)) return false
      const email = await memberEmailHash({ vault }, data.email)
      return accounts.add({ memberId, merchantId, sealed: box.value }, email, teamTime())
    },
    withId: async (memberId: string) => opened(await accounts.withId(memberId)),
    withEmail: async (email: string) => opened(await accounts.withEmail(await memberEmailHash({ vault }, email))),
    ofMerchant: async (merchantId: string): Promise<ReadonlyArray<Account>> => {
      const all = await Promise.all((await accounts.ofMerchant(merchantId)).map(opened))
      return all.filter((each) => each !== null)
    },
    /**
     * Changes an account as of the moment of writing; null if there is none, or `change` wants nothing. Of two who use up
     * the same thing at once, such as a code, the second one finds it used.
     */
    change: async (
      memberId: string,
      change: (data: AccountData) => AccountData | null,
    ): Promise<AccountData | null> => {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const kept = await accounts.withId(memberId)
        const account = await opened(kept)
        const data = account === null ? null : change(account.data)
        if (kept === null || account === null || data === null) return null
        const box = await sealed(account.memberId, data)
        if (O.isNone(box)) return null
        if (await accounts.replace({ ...kept, sealed: box.value })) return data
      }
      return null
    },
    /** Forgets who a member was. Repeating it changes nothing. */
    remove: async (memberId: string): Promise<void> => {
      await vault.erase(memberId)
      await accounts.remove(memberId)
    },
  }
}
export type AccountBook = ReturnType<typeof accountBook>
