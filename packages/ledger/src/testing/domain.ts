import { createServer } from 'node:https'
import type { LookupFunction } from 'node:net'

/**
 * A certificate of `shop.example` and `other.example` that signs itself, and its key, so that tests can be those
 * domains on a loopback address. Nothing else trusts it. It ends in a hundred years.
 */
export const domainTls = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgE0f2Gvi6w81vQCQu
f5apAhMA6xMNVpe+Vt39pwTQqDShRANCAAQqObXmHS7zg/IwDL+qkpErrX5auzSP
kmu45/XJR0HIT+nk6MKgL6ez47f0XAbpXq1J6Gnk+IVzL2XZSvI+Rw0l
-----END PRIVATE KEY-----\n`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIBATAKBggqhkjOPQQDAjAaMRgwFgYDVQQDDA9kb21haW4g
b2YgdGVzdHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAwMDBaMBoxGDAW
BgNVBAMMD2RvbWFpbiBvZiB0ZXN0czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BCo5teYdLvOD8jAMv6qSkSutflq7NI+Sa7jn9clHQchP6eTowqAvp7Pjt/RcBule
rUnoaeT4hXMvZdlK8j5HDSWjWjBYMA8GA1UdEwEB/wQFMAMBAf8wJgYDVR0RBB8w
HYIMc2hvcC5leGFtcGxlgg1vdGhlci5leGFtcGxlMB0GA1UdDgQWBBROHnByxThw
T1E1fg4nNGBmdI3u6jAKBggqhkjOPQQDAgNHADBEAiBxlzv5z2LWe3TYiClLWdjR
q9K1QjdzgCKvvgUPjEtK0AIgdmv71Vxra3IpeNSuHMMliADEpO9RrNjJLKsyx6y+
dWQ=
-----END CERTIFICATE-----\n`,
}

export type DomainAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | 'silence'

/** The domain's web server on a free local port, which answers every request alike, and remembers them. */
export const startDomain = async (answer: DomainAnswer) => {
  const requests: Array<string> = []
  const server = createServer(domainTls, ({ url, headers }, response) => {
    requests.push(`${headers.host} ${url}`)
    if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const resolve: LookupFunction = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
  }
  return {
    requests,
    stop,
    /** How a reader gets here. */
    reach: { port: address.port, resolve, isAllowed: () => true, authority: domainTls.cert },
  }
}
