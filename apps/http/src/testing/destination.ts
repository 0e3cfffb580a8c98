import type { Service } from './service.ts'
import type { Wallet } from './wallet.ts'

/** Registers a wallet as a payout destination and proves it. Answers its id: it is usable at once. */
export const provenDestination = async (
  { api }: Pick<Service, 'api'>,
  { address, sign }: Pick<Wallet, 'address' | 'sign'>,
): Promise<string> => {
  const { id, challenge } = (await api('/payout_destinations', { body: { address } })).body.data
  const body = { transaction: sign(challenge.transaction, challenge.network_passphrase) }
  const { status } = await api(`/payout_destinations/${id}/verify`, { body })
  if (status !== 200) throw new Error(`${address} was not proven: ${status}`)
  return id
}
