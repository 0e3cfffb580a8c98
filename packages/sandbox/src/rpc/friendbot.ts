import * as E from 'fp-ts/lib/Either.js'
import type { FundingRefused, Sandbox } from '../sandbox-api.ts'
import type { HttpAnswer } from './http-answer.ts'

const refusal = ({ code }: FundingRefused): HttpAnswer => ({
  status: 400,
  body: { type: 'https://developers.stellar.org/docs', title: 'Bad Request', status: 400, detail: code },
})

/** `?addr=G…` gives 10,000 XLM to a new account, `&asset=CODE:ISSUER` 10,000 of an asset to one that trusts it. */
export const answerFriendbot = async (sandbox: Sandbox, query: URLSearchParams): Promise<HttpAnswer> => {
  const address = query.get('addr') ?? ''
  const assetId = query.get('asset')
  const funded = await sandbox.fund(assetId === null ? { address } : { address, assetId })()
  return E.isLeft(funded) ? refusal(funded.left) : { status: 200, body: { successful: true, ...funded.right } }
}
