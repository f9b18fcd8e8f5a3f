#include <iostream>
int main(){int n,s=0,i=0;std::cin>>n;for(;i<n;i++){s^=i*i;s+=i;}std::cout<<s<<' '<<i;}