/** As long as the trials that card billing allows; a longer one is a gift, not a trial. */
export const longestTrialDays = 730
