import type { World } from '../fixtures.ts'

/**
 * The seeds that found these bugs first when somebody looked (`npm run bench -- simulate --planted`). They are tried before
 * the others, which still find the bug after a change that moves it.
 */
export const foundAt: Readonly<Record<World, Readonly<Record<string, number>>>> = {
  shop: {
    'a conflict is answered by appending at the new head': 23,
    'a time-out is taken for a failure': 1,
    'a transaction is claimed after it was sent': 14,
    'a quote is given again for a day': 105,
    'a quote holds for a day': 4,
    'the id of a checkout is its memo': 3,
    'dust goes back': 9,
    'a log that went back is accepted by itself': 58,
    'a restored service sends before it has read the ledger': 18,
    'a rotated account is signed for by its first key': 6,
    'an earlier key has weight beside the new one': 14,
    'a rotation is forgotten when a process starts again': 14,
    'a later key has weight and is not on the disk': 6,
    'frozen payouts are sent': 9,
    'sales go on while they are frozen': 46,
    'what is frozen is read once': 9,
    'a freeze is forgotten with the log': 54,
    'a fee is collected twice': 2,
  },
  till: {
    'a schedule keeps no reserve': 4,
    'an intent is not named by its payout': 5,
    'a payout goes out although a forgotten payment may be the same one': 109,
    'a process knows only the sessions of its start': 1,
    'a rotated account is signed for by its first key': 14,
    'an earlier key has weight beside the new one': 14,
    'a rotation is forgotten when a process starts again': 14,
    'a later key has weight and is not on the disk': 14,
    'frozen payouts are sent': 99,
    'sales go on while they are frozen': 32,
    'what is frozen is read once': 20,
  },
  club: {
    'a replaced mandate is charged': 2,
    'a mandate ends before there is another one': 2,
    'an allowance that is too low is excused': 1,
    'a trustline that is missing is excused': 3,
    'charges of unknown outcome are sent again by another channel': 3,
    'a quote holds for a day': 6,
    'a log that went back is accepted by itself': 13,
    'a rotated account is signed for by its first key': 6,
    'an earlier key has weight beside the new one': 6,
    'a rotation is forgotten when a process starts again': 14,
  },
  market: {
    'the merchant with the most payments goes first': 23,
  },
}
