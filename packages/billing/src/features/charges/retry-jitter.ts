import type { Services } from '../../services/services.ts'

/**
 * Where in its tolerance the retry after `cause`, an id, falls: in [0, 1). Only the vault can tell, and every process with
 * it tells the same, so no customer can have the money elsewhere for just that moment.
 */
export const retryJitter = async ({ vault }: Pick<Services, 'vault'>, cause: string): Promise<number> =>
  Number.parseInt((await vault.keyedHash('retry', cause)).slice(0, 8), 16) / 2 ** 32
