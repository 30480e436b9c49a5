/**
 * The few words that the stand-in rules know. Short on purpose: rules have no knowledge of the world, and a longer
 * list would only hide that. Words are lower case; Chinese ones are found inside the text.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Words that carry no meaning of their own, left out of every comparison. */
export const FILLERS = words(
  'a an the of to for in on at by with from and or is are be was were it its this that these those as into how ' +
    'what when where which who why do does did i we you our your please can should must will then first next ' +
    'finally also there their they 的 了 着 请 先 再 并 且 就 会 将 把 后 时 和 与 及 或 在 是 这 那 该 其 则 即 也 都 为',
);

/** Words that say of what kind a text is, not what it is about: left out when tasks are compared. */
export const GENRES = words(
  'guide runbook handbook manual document documentation doc note notes overview introduction howto ' +
    '手册 指南 文档 说明 问题 方法 流程 如何 怎么',
);

/** Words that turn a statement round. */
export const NEGATIONS = words(
  'not no never none cannot without dont doesnt isnt arent wont cant shouldnt 不 未 没 无 勿 莫 禁 别 非',
);

/** Words that make another task of the same words: "another species" is not "the species". */
export const OTHERNESS = words('another other different else 另 其他 别的');

/** Verbs of instructions that say the same; the first one stands for all. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['check', 'verify', 'confirm'],
  ['检查', '查看', '确认', '核对'],
];

/** Pairs of words that cannot both hold. */
export const ANTONYMS: readonly (readonly [string, string])[] = [
  ['love', 'hate'],
  ['like', 'dislike'],
  ['enable', 'disable'],
  ['enabled', 'disabled'],
  ['allow', 'deny'],
  ['allow', 'forbid'],
  ['allowed', 'forbidden'],
  ['always', 'never'],
  ['true', 'false'],
  ['before', 'after'],
  ['increase', 'decrease'],
  ['raise', 'lower'],
  ['open', 'close'],
  ['start', 'stop'],
  ['required', 'optional'],
  ['喜欢', '讨厌'],
  ['启用', '禁用'],
  ['开启', '关闭'],
  ['打开', '关闭'],
  ['允许', '禁止'],
  ['增大', '减小'],
  ['增加', '减少'],
  ['调大', '调小'],
  ['提高', '降低'],
  ['必须', '无需'],
  ['同步', '异步'],
  ['之前', '之后'],
];

/** Words that name an occasion: with other figures beside them, two statements are two observations. */
export const OCCASIONS = words(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august ' +
    'september october november december yesterday today tomorrow 周一 周二 周三 周四 周五 周六 周日 星期一 星期二 ' +
    '星期三 星期四 星期五 星期六 星期日 昨天 今天 明天 上午 下午',
);

/** Words whose number only counts or orders: "step 3" and "step 4" contradict nothing. */
export const COUNTERS = words(
  'step section chapter figure table page example part line item case 步 骤 第 节 章 图 表 例 条',
);

/** Headings that every document may have: they name no scenario. */
export const PLAIN_HEADINGS = new Set(
  (
    'overview|introduction|background|summary|meaning|impact|diagnosis|mitigation|steps|prerequisites|notes|see also|' +
    'references|related links|further reading|概述|简介|背景|前言|总结|小结|步骤|说明|原因|目的|参考|参考资料|注意事项'
  ).split('|'),
);
