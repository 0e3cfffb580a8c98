import type { HttpResponse } from './client.ts'
import type { Service } from './service.ts'

/** All records of a list, page by page. */
export const allRecords = async (
  { api }: Pick<Service, 'api'>,
  path: string,
): Promise<ReadonlyArray<HttpResponse['body']>> => {
  const found: Array<HttpResponse['body']> = []
  for (let cursor = ''; ; ) {
    const { data } = (await api(`${path}?limit=100${cursor}`)).body
    found.push(...data.data)
    if (!data.has_more) return found
    cursor = `&starting_after=${data.data.at(-1).id}`
  }
}
