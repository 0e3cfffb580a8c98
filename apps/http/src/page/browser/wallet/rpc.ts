import { ask, jsonOf, Refused, Unanswered } from '../api.ts'
import { fieldsOf, textIn } from '../fields.ts'
import { walletWords } from './wallet-words.ts'

type RpcFields = ReturnType<typeof fieldsOf>
export type Rpc = (method: string, params: Readonly<Record<string, unknown>>) => Promise<RpcFields>

/** JSON-RPC 2.0 calls to the sandbox's network. Rejects with `Refused` or `Unanswered`. */
export const createRpc =
  (url: string, fetch: typeof globalThis.fetch): Rpc =>
  async (method, params) => {
    const answer = await ask(fetch, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const fields = fieldsOf(await jsonOf(answer))
    if ('error' in fields) {
      throw new Refused(walletWords.sandbox.refused(textIn(fieldsOf(fields.error), 'message') ?? method))
    }
    if (!('result' in fields)) throw new Unanswered(walletWords.sandbox.silent)
    return fieldsOf(fields.result)
  }

/** The last ledger's close time in seconds since 1970. On the wire it is a string of digits. */
export const ledgerCloseTime = async (rpc: Rpc): Promise<number> => {
  const closeTime = Number((await rpc('getLatestLedger', {})).closeTime)
  if (!Number.isSafeInteger(closeTime)) throw new Unanswered(walletWords.sandbox.noTime)
  return closeTime
}
