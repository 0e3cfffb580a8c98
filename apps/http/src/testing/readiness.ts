import type { HttpResponse } from './client.ts'

/** The addresses of the metrics, by those of the services. */
const metricsUrls = new Map<string, string>()

export const metricsAreAt = (url: string, metricsUrl: string): void => void metricsUrls.set(url, metricsUrl)

/** What `/ready` tells an operator of the service at an address. */
export const readinessAt = async (url: string): Promise<Pick<HttpResponse, 'status' | 'body'>> => {
  const metricsUrl = metricsUrls.get(url)
  if (metricsUrl === undefined) throw new Error(`nobody knows where the metrics of ${url} are`)
  const response = await fetch(new URL('/ready', metricsUrl))
  return { status: response.status, body: await response.json() }
}
