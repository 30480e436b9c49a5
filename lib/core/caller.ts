/** Who calls: sessions belong to the principal, items are visible by the scopes (R6.7, R6.8). */
export interface Caller {
  principal: string;
  scopes: string[];
}
