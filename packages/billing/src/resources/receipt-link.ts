import { timingSafeEqual } from 'node:crypto'
import { PaymentId } from '@quittance/domain'
import type { Services } from '../services/services.ts'
import type { Vault } from '../stores/vault/port.ts'

/** Whether a receipt names who has paid. What somebody else may look at, as the portal, leads to one that does not. */
type Naming = 'named' | 'unnamed'
const purposes: Readonly<Record<Naming, string>> = { named: 'receipt', unnamed: 'receipt without a person' }
const proofLength = 32

/** 128 bits that only this installation makes of a payment's id, which may stand on the ledger. */
const proofOf = async (vault: Vault, id: string, naming: Naming): Promise<string> =>
  (await vault.keyedHash(purposes[naming], id)).slice(0, proofLength)

/** The address of a payment's receipt. Whoever has it sees the receipt. */
export const receiptUrl = async (
  { vault, publicUrl }: Pick<Services, 'vault' | 'publicUrl'>,
  id: string,
  naming: Naming = 'named',
): Promise<string> => `${publicUrl()}/receipts/${id}-${await proofOf(vault, id, naming)}`

/** The payment of the last part of such an address; null for any other text. */
export const paymentOfReceipt = async (
  vault: Vault,
  token: string,
): Promise<{ readonly id: PaymentId; readonly isNamed: boolean } | null> => {
  const at = token.lastIndexOf('-')
  const [id, proof] = [token.slice(0, at), token.slice(at + 1)]
  if (!PaymentId.is(id)) return null
  if (isSame(proof, await proofOf(vault, id, 'named'))) return { id, isNamed: true }
  return isSame(proof, await proofOf(vault, id, 'unnamed')) ? { id, isNamed: false } : null
}

const isSame = (given: string, expected: string): boolean =>
  Buffer.byteLength(given) === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
