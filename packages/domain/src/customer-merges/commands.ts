import type { CustomerMerge } from './events.ts'

export type CustomerMergesCommand = { readonly type: 'MergeCustomers' } & CustomerMerge
