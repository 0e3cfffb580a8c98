import { fieldsOf, textIn } from '../fields.ts'
import type { Rpc } from './rpc.ts'
import type { StellarSdk } from './sdk.ts'

/** The balance of an account in stroops; null without the account or its trustline. */
export type Holdings = {
  readonly sequence: bigint | null
  readonly native: bigint | null
  readonly asset: bigint | null
}

const base64 = (bytes: ReadonlyArray<number>): string => btoa(String.fromCharCode(...bytes))

/** XDR of a `PublicKey`: the ed25519 discriminant, then 32 bytes. */
const publicKey = (sdk: StellarSdk, address: string): ReadonlyArray<number> => [
  ...[0, 0, 0, 0],
  ...sdk.Keypair.fromPublicKey(address).rawPublicKey(),
]

const accountKey = (sdk: StellarSdk, address: string): string => base64([0, 0, 0, 0, ...publicKey(sdk, address)])

/** XDR of a trustline's `LedgerKey`. Codes of up to four and of up to twelve characters are different asset types. */
const trustlineKey = (sdk: StellarSdk, address: string, assetId: string): string => {
  const [code = '', issuer = ''] = assetId.split(':')
  const length = code.length <= 4 ? 4 : 12
  const codeBytes = Array.from({ length }, (_, index) => code.charCodeAt(index) || 0)
  const kind = [0, 0, 0, length === 4 ? 1 : 2]
  return base64([0, 0, 0, 1, ...publicKey(sdk, address), ...kind, ...codeBytes, ...publicKey(sdk, issuer)])
}

const entryOf = (sdk: StellarSdk, entry: unknown) => {
  const { type, value } = sdk.xdr.LedgerEntryData.fromXdr(textIn(fieldsOf(entry), 'xdr') ?? '', 'base64')
  const fields = fieldsOf(value)
  return { type, balance: bigintIn(fields.balance), sequence: bigintIn(fields.seqNum) }
}

const bigintIn = (value: unknown): bigint | null => (typeof value === 'bigint' ? value : null)

/** Reads an account, and its trustline for an asset other than `native`, from the sandbox's ledger. */
export const readHoldings = async (sdk: StellarSdk, rpc: Rpc, address: string, assetId: string): Promise<Holdings> => {
  const keys = [accountKey(sdk, address), ...(assetId === 'native' ? [] : [trustlineKey(sdk, address, assetId)])]
  const { entries } = await rpc('getLedgerEntries', { keys })
  const found = Array.isArray(entries) ? entries.map((entry: unknown) => entryOf(sdk, entry)) : []
  const account = found.find(({ type }) => type === 'account')
  const native = account?.balance ?? null
  const trustline = found.find(({ type }) => type === 'trustline')?.balance ?? null
  return { sequence: account?.sequence ?? null, native, asset: assetId === 'native' ? native : trustline }
}
