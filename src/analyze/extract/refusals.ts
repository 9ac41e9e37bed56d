/** Tests that stop a sentence from stating a fact: question, condition, wish, negation, doubt, money. Input has quotations blanked. */

const QUESTION =
  /\?|^\W*(?:(?:and|but|so|also|or|ok(?:ay)?|well|hey|hi|please),? )*(?:do|does|did|is|are|was|were|am|can|could|should|would|will(?! (?:works|lives|resides|prefers|uses|owns|knows|moved|used to|has|is)\b)|shall|have (?:you|we|i)|has|what|why|how|which|who|whom|whose|when|where)\b(?! (?:i|we) )/i
const OPEN =
  /\b(?:if|unless|whether|suppose|supposing|assuming|assume|imagine|maybe|perhaps|possibly|probably|might|could|would|i'd|we'd|he'd|she'd|they'd|should|wish|hope|hoping|hopefully|wonder|wondering|thinking (?:of|about)|considering|dream(?:ing|ed|t)?|guess|not sure|unsure|as if|as though|pretend|let's say|in case|for example|e\.g|for instance|rumou?rs?|allegedly|supposedly|apparently|joking|kidding|almost|nearly|wanted to|want to|going to try|plan(?:ning)? (?:to|on)|trying to|used to think|fixtures?|mock(?:s|ed)?|dummy|placeholder|(?:test|seed|sample|example) (?:data|users?|rows?|case|record|string|sentence|input)|given that|the day (?:that )?)\b|^\W*(?:(?:please|then|now|also) )*(?:print|echo|log|output|return|assert|render|display|insert|type|say)\b(?![,:])|\b(?:tests?|string|message|label|text|caption|output|response|answer) (?:that|which|to) (?:says?|reads?)\b/i
const NEGATED =
  /\b(?:not|never|false that|untrue|a lie|wrong that|no longer|nobody|none|neither|nor|without|cannot|hardly|barely|anymore)\b|n't\b/i
const HEARSAY =
  /\b(?:said|says?|saying|told|tells|mentioned|mentions|claims?|claimed|heard|according to|reportedly|thinks?|believes?)\b(?<!\bwhat i (?:just |already )?\w+)/i
/** Rules never extract financial facts. */
const MONEY =
  /[$€£¥]\s?\d|\b(?:salary|salaries|wages?|paycheck|compensation|bonus|income|net worth|mortgage|loan|debt|(?:bank|savings|checking|brokerage) account|account number|routing number|iban|sort code|credit card|debit card|ssn|social security|401\(?k\)?|ira|tax(?:es)?|invest(?:ed|ing|ments?)?|stocks?|shares)\b/i

export const isQuestion = (plain: string): boolean => QUESTION.test(plain)
export const isOpen = (plain: string): boolean => OPEN.test(plain)
export const isNegated = (plain: string): boolean => NEGATED.test(plain)
export const isHearsay = (plain: string): boolean => HEARSAY.test(plain)
export const isMoney = (plain: string): boolean => MONEY.test(plain)
