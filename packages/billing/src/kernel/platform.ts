/** Stands for the merchant in the context and items of work that concern a network as a whole. */
export const platform = 'platform'
