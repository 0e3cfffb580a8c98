import type { Answer } from './client.ts'
import type { Service } from './service.ts'

/** All records of a list, page by page. */
export const everyOne = async ({ api }: Pick<Service, 'api'>, path: string): Promise<ReadonlyArray<Answer['body']>> => {
  const found: Array<Answer['body']> = []
  for (let cursor = ''; ; ) {
    const { data } = (await api(`${path}?limit=100${cursor}`)).body
    found.push(...data.data)
    if (!data.has_more) return found
    cursor = `&starting_after=${data.data.at(-1).id}`
  }
}
