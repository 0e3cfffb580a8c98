type Attempt = { readonly path: string; readonly init?: RequestInit }

const json = { 'content-type': 'application/json' }

/** Someone who sends what no service should take. Each attempt must be refused as the sender's fault. */
export const openHostile = (url: string, apiKey: string) => {
  const wrong: Array<string> = []
  const counts = new Map<string, number>()
  const own = { ...json, 'x-api-key': apiKey }
  const post = (path: string, body: string, headers: Readonly<Record<string, string>> = own): Attempt => ({
    path,
    init: { method: 'POST', body, headers },
  })
  const attempts: ReadonlyArray<Attempt> = [
    post('/checkout?type=direct', '{"amount":'),
    post('/checkout?type=direct', '{"amount":-1,"currency_code":"XLM"}'),
    post('/checkout?type=direct', '{"amount":1e300,"currency_code":"XLM"}'),
    post('/checkout?type=direct', `{"amount":1,"currency_code":"XLM","__proto__":{"a":1},"x":"${'x'.repeat(60_000)}"}`),
    post('/customers', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    post('/product', '{"name":"A book"}', { ...json, 'x-api-key': 'sk_test_guessed' }),
    post('/pay/chk_0000000000000000000000/submit', '{"transaction_xdr":"AAAA"}', json),
    { path: '/payment/pay_0000000000000000000000', init: { headers: own } },
    { path: "/customers/cus_1' OR '1'='1", init: { headers: own } },
    { path: '/payment?limit=1000000', init: { headers: own } },
    { path: '/payment', init: { headers: { ...own, 'x-api-key': 'x'.repeat(8_000) } } },
    { path: '/%2e%2e/%2e%2e/etc/passwd' },
    { path: '/payment', init: { method: 'PURGE', headers: own } },
  ]
  let turn = 0
  return {
    wrong,
    figures: (): Readonly<Record<string, number>> => Object.fromEntries(counts),
    ask: async (): Promise<void> => {
      const { path, init } = attempts[turn++ % attempts.length] ?? { path: '/' }
      try {
        const { status } = await fetch(`${url}${path}`, init).then(async (answer) => {
          await answer.arrayBuffer()
          return answer
        })
        counts.set(`hostile requests answered ${status}`, (counts.get(`hostile requests answered ${status}`) ?? 0) + 1)
        if (status < 400 || status > 499) wrong.push(`${init?.method ?? 'GET'} ${path} was answered ${status}`)
      } catch (cause) {
        wrong.push(`${init?.method ?? 'GET'} ${path} was not answered: ${cause}`)
      }
    },
  }
}
