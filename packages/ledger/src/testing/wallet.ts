import { Keypair } from '@stellar/stellar-sdk'

export { readStellarToml } from '../stellar/stellar-toml.ts'

/** Whether a SEP-7 request claims this origin, and the account's key signed it. Source: SEP-7, "Request signing". */
export const isRequestOf = (uri: string, originDomain: string, account: string): boolean => {
  const [unsigned = '', signature = ''] = uri.split('&signature=')
  const payload = Buffer.concat([
    Buffer.alloc(35),
    Buffer.of(4),
    Buffer.from('stellar.sep.7 - URI Scheme'),
    Buffer.from(unsigned),
  ])
  return (
    unsigned.endsWith(`&origin_domain=${originDomain}`) &&
    Keypair.fromPublicKey(account).verify(payload, Buffer.from(decodeURIComponent(signature), 'base64'))
  )
}
