import * as E from 'fp-ts/lib/Either.js'
import type { FundingRefused, Sandbox } from '../sandbox-api.ts'
import type { HttpResponse } from './http-response.ts'

const refusal = ({ code }: FundingRefused): HttpResponse => ({
  status: 400,
  body: { type: 'https://developers.stellar.org/docs', title: 'Bad Request', status: 400, detail: code },
})

/**
 * `?addr=G…` creates an account with 10,000 XLM; `&asset=CODE:ISSUER` pays 10,000 of an asset to an account that trusts
 * it.
 */
export const answerFriendbot = async (sandbox: Sandbox, query: URLSearchParams): Promise<HttpResponse> => {
  const address = query.get('addr') ?? ''
  const assetId = query.get('asset')
  const funded = await sandbox.fund(assetId === null ? { address } : { address, assetId })()
  return E.isLeft(funded) ? refusal(funded.left) : { status: 200, body: { successful: true, ...funded.right } }
}
